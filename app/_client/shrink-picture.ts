import { NotDone } from "./use-work.ts";

const TYPES: readonly string[] = ["image/png", "image/jpeg", "image/webp"];
const MAX_FILE_BYTES = 50 * 1024 * 1024;
/** Twice the size in which payers get it. */
const BOX = { width: 640, height: 160 };
/** A form of a preview has the picture in base64, and 64 KB in all. */
const MAX_BYTES = 40 * 1024;
const QUALITIES = [0.92, 0.8, 0.6, 0.4];

/**
 * Returns a picture drawn anew in the size of a logo, of at most 40 KB: a phone on 3G then uploads it within seconds, and nothing of the file but
 * its pixels leaves the phone. Throws NotDone for a file that is no picture.
 */
export async function shrinkPicture(file: File): Promise<Blob> {
  if (!TYPES.includes(file.type)) throw new NotDone("Choose a PNG, JPEG or WebP picture.");
  if (file.size > MAX_FILE_BYTES) throw new NotDone("This file is larger than 50 MB. Choose a smaller picture.");
  const bitmap = await createImageBitmap(file).catch(() => {
    throw new NotDone("This file cannot be read as a picture. Choose another one.");
  });
  const scale = Math.min(1, BOX.width / bitmap.width, BOX.height / bitmap.height);
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  canvas.getContext("2d")?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  // A browser without WebP gives a PNG.
  for (const quality of QUALITIES) {
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/webp", quality));
    if (blob && blob.size <= MAX_BYTES) return blob;
  }
  throw new NotDone("This picture cannot be made small enough. Choose a simpler one.");
}

/** Returns a picture as a `data:` address. */
export const dataUrlOf = (blob: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
