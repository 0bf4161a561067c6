const RECEIVER = "https://hooks.example.com/events";

export async function run({ type, data }, { executionId }) {
  // A retry is another attempt of the same execution: the receiver knows the event again by its id.
  const id = `evt_${executionId}`;
  const seconds = Math.floor(utils.timestamp() / 1000);
  const body = JSON.stringify({ type, timestamp: utils.now(), data });
  // The signature is made outside of the tool (Standard Webhooks): the code never holds the secret.
  const signature = await utils.hmac("event_hook", `${id}.${seconds}.${body}`, { encoding: "base64" });
  const answer = await fetch(RECEIVER, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "webhook-id": id,
      "webhook-timestamp": String(seconds),
      "webhook-signature": `v1,${signature}`,
    },
    body,
    redirect: "error",
  });
  if (!answer.ok) throw await refusalOf(answer);
  return { id, status: answer.status };
}

/** `retryAfter` on an error takes the place of the pause that the tool's `retry` plans. */
async function refusalOf(answer) {
  const said = utils.truncate(await answer.text(), 200);
  const error = new Error(`The receiver answered ${answer.status}: ${said}`);
  const pause = answer.headers.get("retry-after");
  return pause === null ? error : Object.assign(error, { retryAfter: pause });
}
