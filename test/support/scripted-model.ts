import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

/** What a model was asked, with the key that it was asked with. */
interface AskedOfModel {
  key: string | undefined;
  messages: { role: string; content: string }[];
}

/** The server of a model that says what a script has for it. */
export interface ScriptedModel {
  /** Of its API, with the version. */
  readonly url: string;
  readonly asked: readonly AskedOfModel[];
  /** From here on it says these in turn, the last one for ever; nothing that it was asked before is kept. */
  says(...texts: (string | object)[]): void;
  /** From here on `answer` answers instead. */
  does(answer: (response: ServerResponse) => void): void;
  close(): Promise<void>;
}

export async function openScriptedModel(): Promise<ScriptedModel> {
  const asked: AskedOfModel[] = [];
  let answer: (response: ServerResponse) => void = (response) => void response.writeHead(500).end();
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      const { messages } = body as Pick<AskedOfModel, "messages">;
      asked.push({ key: request.headers.authorization, messages });
      answer(response);
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const does = (next: typeof answer): void => {
    asked.length = 0;
    answer = next;
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    does,
    says: (...texts) => {
      does((response) => {
        const text = texts.length > 1 ? texts.shift() : texts[0];
        const content = typeof text === "string" ? text : JSON.stringify(text);
        response.setHeader("content-type", "application/json");
        response.end(JSON.stringify({ choices: [{ message: { role: "assistant", content } }] }));
      });
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
