import { createServer, type Server, type Socket } from "node:net";
import { TLSSocket } from "node:tls";

/** What one mail was, as it came over the wire. */
export interface ReceivedMail {
  from: string;
  to: string[];
  /** As it stood between DATA and its end. */
  data: string;
  /** Of who signed in; null: nobody did. */
  login: string | null;
  secure: boolean;
}

export interface ScriptedSmtp {
  /** For STARTTLS, which is offered with it alone. */
  secure?: { key: string; cert: string };
  /** Answers to commands by their first word, in place of the usual ones. */
  says?: Readonly<Record<string, string>>;
  /** Who must sign in. */
  login?: { user: string; password: string };
}

/** A mail server for tests: as much of SMTP as one client speaks (RFC 5321, 4954, 3207), and everything that came. */
export function scriptedSmtp(script: ScriptedSmtp = {}): { server: Server; mails: ReceivedMail[] } {
  const mails: ReceivedMail[] = [];
  const server = createServer((socket) => {
    socket.write("220 mail.test ESMTP\r\n");
    serve(socket, script, mails, false);
  });
  return { server, mails };
}

function serve(socket: Socket, script: ScriptedSmtp, mails: ReceivedMail[], secure: boolean): void {
  let mail: ReceivedMail = { from: "", to: [], data: "", login: null, secure };
  let held = "";
  let inData = false;
  const say = (text: string): void => void socket.write(`${text}\r\n`);
  const take = (line: string): void => {
    const [verb = ""] = line.toUpperCase().split(/[ :]/);
    const said = script.says?.[verb];
    if (said !== undefined) return say(said);
    switch (verb) {
      case "EHLO":
        if (!secure && script.secure) say("250-STARTTLS");
        if (script.login) say("250-AUTH PLAIN");
        return say("250 SIZE 1000000");
      case "STARTTLS":
        say("220 go on");
        socket.removeAllListeners("data");
        return serve(new TLSSocket(socket, { isServer: true, ...script.secure }), script, mails, true);
      case "AUTH": {
        const [, user, password] = Buffer.from(line.split(" ")[2] ?? "", "base64")
          .toString()
          .split("\0");
        const isRight = user === script.login?.user && password === script.login?.password;
        if (isRight) mail.login = user ?? null;
        return say(isRight ? "235 welcome" : `535 no such account ${user}`);
      }
      case "MAIL":
        mail.from = addressIn(line);
        return say("250 ok");
      case "RCPT":
        mail.to.push(addressIn(line));
        return say("250 ok");
      case "DATA":
        inData = true;
        return say("354 go on");
      case "QUIT":
        say("221 bye");
        return void socket.end();
      default:
        return say("500 what");
    }
  };
  socket.on("error", () => undefined);
  socket.on("data", (chunk: Buffer) => {
    held += chunk.toString("latin1");
    for (;;) {
      const end = inData ? held.indexOf("\r\n.\r\n") : held.indexOf("\r\n");
      if (end < 0) return;
      const text = held.slice(0, end);
      held = held.slice(end + (inData ? 5 : 2));
      if (!inData) take(text);
      else {
        inData = false;
        mails.push({ ...mail, data: text });
        mail = { ...mail, from: "", to: [], data: "" };
        say("250 queued");
      }
    }
  });
}

const addressIn = (line: string): string => /<([^>]*)>/.exec(line)?.[1] ?? "";
