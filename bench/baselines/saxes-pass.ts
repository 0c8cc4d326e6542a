import { SaxesParser } from "saxes";

/** What reading XML costs before anything is done with it: namespaces resolved, positions kept, nothing built. Throws at a fault. */
export function barePass(text: string): number {
  const parser = new SaxesParser({ xmlns: true, position: true });
  let elements = 0;
  parser.on("opentag", () => {
    elements += 1;
  });
  parser.write(text).close();
  return elements;
}
