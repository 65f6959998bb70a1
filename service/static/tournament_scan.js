// Checking in by badges: a hand scanner types what it reads and then Enter, a camera is asked a few times a second.

import { byId, data, input, make, say } from "./common.js";
import { open } from "./dialog.js";
import { carryOut, show } from "./tournament_results.js";

const PAUSE = 250;

/** A badge says the address of its player's page; people type a name or a number.
 *  @param {string} read */
export const meantBy = (read) => decodeURIComponent(/\/players\/([^/?#]+)/.exec(read)?.[1] ?? read).trim();

/** @param {string} read */
const checkIn = (read) => (data().rounds ? carryOut("/round/check-in", { round: data().rounds + 1, names: [meantBy(read)] }) : carryOut("/players/check-in", { names: [meantBy(read)] }));

/** Badges are held up to the camera, one after the other, until the dialog is closed. */
async function camera() {
  const seen = new Set();
  const video = make("video", { autoplay: true, muted: true, playsinline: true });
  try {
    video.srcObject = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" }, audio: false });
  } catch {
    show({ status: 400, body: { detail: say("no_camera") } });
    return;
  }
  const stop = () => { for (const track of /** @type {MediaStream} */ (video.srcObject).getTracks()) track.stop(); };
  byId("dialog").addEventListener("close", stop, { once: true });
  open(say("scan"), video);
  // @ts-expect-error: not every browser has it, nor does the list of types
  const detector = new BarcodeDetector({ formats: ["qr_code"] });
  while (video.isConnected && /** @type {HTMLDialogElement} */ (byId("dialog")).open) {
    const found = video.readyState >= 2 ? await detector.detect(video).catch(() => []) : [];
    for (const { rawValue } of found) {
      if (seen.has(rawValue)) continue;
      seen.add(rawValue);
      await checkIn(rawValue);
    }
    await new Promise((done) => { setTimeout(done, PAUSE); });
  }
}

export function scanBadges() {
  const form = document.getElementById("scan");
  if (form === null) return;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const read = input("scanned").value;
    input("scanned").value = ""; // the next badge may come before the answer
    if (read.trim() && !(await checkIn(read)) && !input("scanned").value) input("scanned").value = read;
  });
  const button = byId("scan-camera");
  button.hidden = !("BarcodeDetector" in window) || !navigator.mediaDevices;
  button.addEventListener("click", camera);
}
