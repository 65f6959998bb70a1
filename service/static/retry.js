// What is asked again, and when: for whatever waits in the browser until the referee has answered.

/** So long nobody is asked again who did not answer; or as long as they say, within reason. */
const PAUSE = 3000;
const LONGEST_PAUSE = 60_000;

/** Whether the referee has not spoken: nobody answers, it asks for patience, or somebody between us
 *  and the referee has answered instead.
 *  @param {Reply} reply */
export function unheard({ status, body }) {
  return [0, 408, 429, 502, 503, 504].includes(status) || body === null || typeof body !== "object";
}

/** So many milliseconds nothing is asked after an answer that was none.
 *  @param {Reply} reply */
export function pauseAfter({ after }) {
  return after ? Math.min(after * 1000, LONGEST_PAUSE) : PAUSE;
}
