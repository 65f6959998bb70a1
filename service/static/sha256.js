// SHA-256 (FIPS 180-4): a page without TLS has no `crypto.subtle`.

const primes = Array.from({ length: 312 }, (_, n) => n).filter((n) =>
  n > 1 && !Array.from({ length: Math.floor(Math.sqrt(n)) - 1 }, (_, d) => d + 2).some((d) => n % d === 0));
const fraction = (/** @type {number} */ value) => ((value - Math.floor(value)) * 2 ** 32) | 0;
const CONSTANTS = primes.slice(0, 64).map((prime) => fraction(Math.cbrt(prime)));
const START = primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const turned = (/** @type {number} */ word, /** @type {number} */ by) => (word >>> by) | (word << (32 - by));

/** The digest of bytes, as hexadecimal digits.
 *  @param {Uint8Array} bytes */
export function sha256(bytes) {
  const length = ((bytes.length + 8) >> 6) * 64 + 64;
  const padded = new Uint8Array(length);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(length - 4, bytes.length << 3);
  const hash = [...START];
  for (let block = 0; block < length; block += 64) stir(hash, view, block);
  return hash.map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

/** @param {number[]} hash @param {DataView} view @param {number} block */
function stir(hash, view, block) {
  const words = Array.from({ length: 16 }, (_, place) => view.getInt32(block + 4 * place));
  for (let place = 16; place < 64; place += 1) {
    const [early, late] = [words[place - 15], words[place - 2]];
    const one = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
    const two = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
    words[place] = (words[place - 16] + one + words[place - 7] + two) | 0;
  }
  let [a, b, c, d, e, f, g, h] = hash;
  for (let place = 0; place < 64; place += 1) {
    const high = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const first = (h + high + ((e & f) ^ (~e & g)) + CONSTANTS[place] + words[place]) | 0;
    const low = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
    const second = (low + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, place) => { hash[place] = (hash[place] + word) | 0; });
}
