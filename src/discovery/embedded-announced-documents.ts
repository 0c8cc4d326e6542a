import { z } from "zod";
import type { EmbeddedEnvironment } from "../log/embedded-environment.ts";
import type { AnnouncedDocuments } from "./announced-documents.ts";

const row = z.object({ digest: z.string(), version: z.number() });

export function createEmbeddedAnnouncedDocuments(environment: EmbeddedEnvironment): AnnouncedDocuments {
  const announced = environment.table("announced-documents", row);
  return {
    async get(name) {
      return announced.get([name]);
    },
    async put(name, document) {
      await environment.write((changing) => {
        const before = announced.within(changing).get([name]);
        if (before === undefined || before.version < document.version) {
          announced.within(changing).put([name], document);
        }
      });
    },
  };
}
