// A picture from a camera or a file, made smaller on this device before it is sent.

/** No side of what is sent has more pixels: the referee keeps no more either. */
const LONGEST = 2560;
const QUALITY = 0.85;

/** A picture of a file, upright and no larger than need be, on a canvas.
 *  @param {Blob} file @param {HTMLCanvasElement} canvas */
export async function draw(file, canvas) {
  const picture = await createImageBitmap(file, { imageOrientation: "from-image" });
  const scale = Math.min(1, LONGEST / Math.max(picture.width, picture.height));
  canvas.width = Math.round(picture.width * scale);
  canvas.height = Math.round(picture.height * scale);
  canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
}

/** @param {HTMLCanvasElement} canvas @returns {Promise<Blob | null>} */
export function encoded(canvas) {
  return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", QUALITY));
}

/** A file as it is sent; as it is, where this browser cannot read it: the referee says what it is.
 *  @param {Blob} file */
export async function smaller(file) {
  const canvas = document.createElement("canvas");
  try {
    await draw(file, canvas);
  } catch {
    return file;
  }
  return (await encoded(canvas)) ?? file;
}
