import { unzipSync } from "fflate";

/**
 * The `manifest.xml` at the top level of a package (ResourceSync 1.1 §11.2, §13.2), unpacked to at most `maxBytes`; or words
 * that say what is wrong with the package.
 */
export function manifestIn(zip: Uint8Array, maxBytes: number): Uint8Array | string {
  let tooLarge = false;
  try {
    const files = unzipSync(zip, {
      filter({ name, originalSize }) {
        if (name !== "manifest.xml") return false;
        tooLarge = originalSize > maxBytes;
        return !tooLarge;
      },
    });
    if (tooLarge) return `its manifest.xml is larger than ${maxBytes} bytes`;
    return files["manifest.xml"] ?? "it has no manifest.xml at its top level";
  } catch {
    return "it is no ZIP file that can be read";
  }
}
