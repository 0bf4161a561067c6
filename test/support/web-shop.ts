import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

const page = (title: string, body: string): string =>
  `<!doctype html><html><head><meta charset="utf-8"><title>${title}</title></head><body>${body}</body></html>`;

/** A site as people use them: a form, a page made by a script, cookies, a window, a dialog, and a picture from elsewhere. */
export interface WebShop {
  url: string;
  /** What it was asked for, in order. */
  seen: { path: string; cookie: string; body: string }[];
  close(): void;
}

export async function openWebShop(words: string): Promise<WebShop> {
  const seen: WebShop["seen"] = [];
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const path = request.url ?? "/";
      const cookie = request.headers.cookie ?? "";
      seen.push({ path, cookie, body: Buffer.concat(chunks).toString() });
      response.setHeader("content-type", "text/html; charset=utf-8");
      if (path === "/stock") return response.end("7 left");
      if (path === "/moved") return response.writeHead(302, { location: "/" }).end();
      if (path === "/file") {
        response.setHeader("content-disposition", "attachment; filename=a.zip");
        return response.end("PK");
      }
      if (path.startsWith("/order"))
        return response.end(page("Ordered", `<p>Thank you. Cookie: ${cookie}</p>`));
      if (path === "/field")
        return response.end(page("Field", `<textarea>${words}</textarea><input type="password" value="x">`));
      if (path === "/frame")
        return response.end(page("Frame", `<iframe src="/field"></iframe><iframe src="blob:gone"></iframe>`));
      if (path === "/shadow")
        return response.end(
          page(
            "Shadow",
            `<p>A part</p><div><template shadowrootmode="open"><b>${words}</b></template></div>`,
          ),
        );
      if (path === "/asks") return response.end(page("Asks", `<input placeholder="${words}">`));
      if (path === "/count")
        return response.end(
          page("Count", `<button onclick="this.textContent = Number(this.textContent) + 1">0</button>`),
        );
      if (path === "/long") return response.end(page("Long", `<p>${"word ".repeat(9_000)}</p>`));
      response.setHeader("set-cookie", [`visit=${seen.length}; Path=/`, "basket=1; Path=/"]);
      return response.end(
        page(
          "Shop",
          `<h1>Shop</h1><p id="stock">…</p><p>${words}</p><p>Cookie: ${cookie}</p>
          <form action="/order" method="post"><label>Name <input name="name"></label>
          <label>Colour <select name="colour"><option>red</option><option>blue</option></select></label>
          <button>Order</button></form>
          <a href="/order" target="_blank">Terms</a> <button onclick="alert('Sale!')">Sale</button>
          <img src="http://169.254.169.254/logo.png" alt="">
          <script>fetch("/stock").then((a) => a.text()).then((t) => { document.querySelector("#stock").textContent = t; });</script>`,
        ),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    close: () => void server.close(),
  };
}
