// Answers that take a while: with `Prefer: progress` they tell how far they are before they come.

/** The parts of a stream as they come, up to the line that tells what the file is; then all the rest.
 *  @param {Response} reply @param {(done: number, total: number) => void} tell
 *  @returns {Promise<{ status: number, headers: Headers, content: Blob }>} */
export async function received(reply, tell) {
  if (reply.headers.get("Preference-Applied") !== "progress" || reply.body === null) return { status: reply.status, headers: reply.headers, content: await reply.blob() };
  const reader = reply.body.getReader();
  /** @type {{ status: number, headers: Headers } | null} */
  let head = null;
  /** @type {Uint8Array<ArrayBuffer>[]} */
  const parts = [];
  let rest = new Uint8Array();
  for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) {
    if (value === undefined) continue;
    if (head !== null) {
      parts.push(value);
      continue;
    }
    const joined = new Uint8Array(rest.length + value.length);
    joined.set(rest);
    joined.set(value, rest.length);
    rest = joined;
    for (let end = rest.indexOf(10); head === null && end >= 0; end = rest.indexOf(10)) {
      const line = new TextDecoder().decode(rest.subarray(0, end));
      rest = rest.slice(end + 1);
      if (line.startsWith("{")) {
        const { status, headers } = JSON.parse(line);
        head = { status, headers: new Headers(headers) };
        parts.push(rest);
      } else {
        const [made, total] = line.split(" ").map(Number);
        tell(made, total);
      }
    }
  }
  if (head === null) throw new TypeError("the answer ended too soon");
  return { ...head, content: new Blob(parts, { type: head.headers.get("Content-Type") ?? "" }) };
}
