/** Returns a signal that aborts on Ctrl-C, a closed terminal or a kill, and after `limitMs` if given. Its reason says why. */
export function interruption(limitMs?: number): AbortSignal {
  const controller = new AbortController()
  const abort = (why: string) => controller.abort(new Error(why))
  // A second Ctrl-C must not end us before the children have ended.
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => abort(`ended by ${name}`))
  if (limitMs !== undefined) {
    setTimeout(() => abort(`not done within ${limitMs / 60_000} minutes`), limitMs).unref()
  }
  return controller.signal
}
