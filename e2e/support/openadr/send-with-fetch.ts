import type { openVtn } from '@plantroom/openadr/vtn'

/** Sends as the cloud does: follows no redirect. */
export const sendWithFetch: Parameters<typeof openVtn>[1]['send'] = async ({ method, url, headers, body }) => {
  const answer = await fetch(url, { method, headers, redirect: 'manual', ...(body !== undefined && { body }) })
  return { status: answer.status, headers: Object.fromEntries(answer.headers), body: await answer.text() }
}
