import type { BrowserProcess } from "@bulkhead/tools/built-in";
import { isNightly } from "@bulkhead/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  act,
  home,
  missing,
  newBrowser,
  open,
  pageOf,
  serve,
  shown,
  upgraded,
  useSite,
} from "./support/browser-site.ts";

useSite();
let browser: BrowserProcess;
const asked: string[] = [];
/** The site's page runs this; all else that is asked for is noted. */
const page = (script: string, html = pageOf(script)): void =>
  serve((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.setHeader("content-type", "text/html");
    response.end(request.url === "/" ? html : "answered");
  });
beforeAll(async () => {
  if (missing === null) browser = await newBrowser();
});
beforeEach(() => void asked.splice(0));
afterAll(async () => {
  browser?.kill();
  await browser?.ended;
});

describe("a page", () => {
  test.each([
    ["the metadata service", "http://169.254.169.254/latest/meta-data/", /link-local or metadata/],
    ["a private address", "https://10.0.0.1/", /private/],
    ["the machine's loopback, and the driver's own port", "http://127.0.0.1:8118/", /loopback|this machine/],
    ["loopback in another notation", "http://0x7f.1:5432/", /loopback|this machine/],
    ["IPv6 that stands for it", "http://[::ffff:127.0.0.1]:6379/", /loopback|this machine|mapped/],
    ["a name inside a network", "https://redis.internal/", /internal name|not be resolved/],
    ["a public host in the clear", "http://93.184.215.14/", /plain http/],
    ["a port of mail", "https://93.184.215.14:25/", /ERR_UNSAFE_PORT|port 25/],
  ])("can't be had from %s", async (_, url, why) => {
    expect(await open(browser, url)).toMatchObject({
      ok: false,
      message: expect.stringMatching(why) as string,
    });
  });

  test("asks for nothing that the call's hosts don't hold, and the model is told", async () => {
    page(`return fetch("https://elsewhere.test/").then(() => "answered", String)`);
    const { host } = new URL(home);
    const outcome = await open(browser, `${home}/`, { allowedHosts: [host] });
    expect(outcome).toMatchObject({ ok: true });
    expect(outcome.notes.refused.first).toEqual([
      expect.stringMatching(/^https:\/\/elsewhere\.test\/: elsewhere\.test .*allowedHosts/),
    ]);
    expect(await shown(browser)).toBe("TypeError: Failed to fetch");
  });

  test.each([
    "file:///etc/passwd",
    "chrome://version",
    "view-source:http://127.0.0.1/",
    "data:text/html,x",
    "javascript:1",
    "about:blank",
    "blob:x",
    "x",
  ])("%s is not opened", async (url) => {
    expect(await open(browser, url)).toMatchObject({ ok: false, code: "bad_action" });
  });

  test("leads to no file, no page of Chromium's and no text of its own in place of itself", async () => {
    page(`const tried = [];
      for (const url of ["file:///proc/self/environ", "chrome://version", "view-source:" + location, "data:text/html,x"]) {
        try { const opened = window.open(url); tried.push(opened === null ? "none" : String(opened.location)); } catch (error) { tried.push(error.name); }
        try { await fetch(url.startsWith("data") ? "file:///etc/passwd" : url); tried.push("read"); } catch (error) { tried.push(error.name); }
        const frame = document.body.appendChild(document.createElement("iframe"));
        frame.src = url;
      }
      location.href = "file:///etc/passwd";
      await new Promise((resolve) => setTimeout(resolve, 100));
      for (const frame of document.querySelectorAll("iframe")) {
        try { tried.push(frame.contentDocument?.body?.innerText ?? "closed"); } catch (error) { tried.push(error.name); }
      }
      return [location.href, tried];`);
    await open(browser, `${home}/`);
    const [at, tried] = (await shown(browser)) as [string, string[]];
    expect(at).toBe(`${home}/`);
    expect(
      tried.filter((word) => !/^(none|TypeError|SecurityError|about:blank|closed|)$/.test(word)),
    ).toEqual([]);
  });

  test("opens no web socket, and WebRTC and names tell nobody anything", async () => {
    page(`const told = {};
      const socket = new WebSocket("${home.replace("http", "ws")}/socket".replace(/^\\/socket/, "ws://" + location.host + "/socket"));
      told.socket = await new Promise((resolve) => { socket.onopen = () => resolve("open"); socket.onerror = () => resolve("failed"); });
      const peer = new RTCPeerConnection({ iceServers: [{ urls: "stun:127.0.0.1:3478" }, { urls: "turn:127.0.0.1:3478?transport=tcp", username: "a", credential: "b" }] });
      peer.createDataChannel("x");
      const candidates = [];
      const gathered = new Promise((resolve) => { peer.onicegatheringstatechange = () => peer.iceGatheringState === "complete" && resolve(); });
      peer.onicecandidate = ({ candidate }) => candidate?.candidate && candidates.push(candidate.candidate);
      await peer.setLocalDescription(await peer.createOffer());
      await Promise.race([gathered, new Promise((resolve) => setTimeout(resolve, 500))]);
      told.candidates = candidates;
      const hint = document.head.appendChild(document.createElement("link"));
      hint.rel = "dns-prefetch"; hint.href = "//secret.elsewhere.test";
      const ahead = document.head.appendChild(document.createElement("link"));
      ahead.rel = "preconnect"; ahead.href = "https://secret.elsewhere.test";
      return told;`);
    const outcome = await open(browser, `${home}/`);
    const told = (await shown(browser)) as { socket: string; candidates: string[] };
    expect(told).toEqual({ socket: "failed", candidates: [] });
    expect(upgraded()).toEqual([]);
    expect(outcome).toMatchObject({ ok: true });
    expect(outcome.notes.refused.first.join()).toContain("no web sockets");
  });
});

describe("a hostile page", () => {
  test.runIf(isNightly)("that calls without end is cut off, and its browser goes on", async () => {
    page("", `<script>for (;;) alert("hello")</script>`);
    const alerts = await open(browser, `${home}/`, { timeoutMs: 700 });
    expect(alerts).toMatchObject({ ok: false, code: "timed_out" });
    expect(alerts.notes.dismissed.first).toEqual([
      "The page said (alert): hello",
      expect.stringMatching(/did not answer any more, and was closed/),
    ]);
    page("return 1");
    expect(await open(browser, `${home}/`)).toMatchObject({ ok: true });
  });

  test("that computes without end is cut off, and its browser goes on", async () => {
    page("", `<script>for (;;);</script>`);
    expect(await open(browser, `${home}/`, { timeoutMs: 700 })).toMatchObject({
      ok: false,
      code: "timed_out",
    });
    page("return 1");
    expect(await open(browser, `${home}/`)).toMatchObject({ ok: true });
    expect(await shown(browser)).toBe(1);
  });

  test("that sends a file is told to nobody but by name, and holds up nothing by words on leaving", async () => {
    page(`addEventListener("beforeunload", (event) => { event.preventDefault(); event.returnValue = "stay"; });
      const link = document.body.appendChild(document.createElement("a"));
      link.href = URL.createObjectURL(new Blob(["x"])); link.download = "evil.sh"; link.click();
      await new Promise((resolve) => setTimeout(resolve, 50));
      return 1;`);
    const outcome = await open(browser, `${home}/`);
    expect(await shown(browser)).toBe(1);
    expect(outcome.notes.dismissed.first.join()).toMatch(/download .* was not taken/);
    page("return 2");
    expect(await open(browser, `${home}/`)).toMatchObject({ ok: true });
    expect(await shown(browser)).toBe(2);
  });
});

test("a browser that is killed says so, and whoever acts by it hears it", async () => {
  serve(() => browser.kill());
  expect(await open(browser, `${home}/`)).toMatchObject({ ok: false, code: "ended" });
  expect(await browser.ended).toBeNull();
  expect(await act(browser, { action: "text" })).toMatchObject({ ok: false, code: "ended" });
});
