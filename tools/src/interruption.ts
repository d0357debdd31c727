/** A signal that aborts when we are told to end (Ctrl-C, a closed terminal, a kill) and after `limitMs`; its reason says why. */
export function interruption(limitMs: number): AbortSignal {
  const controller = new AbortController()
  const abort = (why: string) => controller.abort(new Error(why))
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => abort(`ended by ${name}`))
  setTimeout(() => abort(`not done within ${limitMs / 60_000} minutes`), limitMs).unref()
  return controller.signal
}
