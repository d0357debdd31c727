/** Aborts `signal` when the process is to end, so that work can remove its temporary files first. */
export function abortedBySignal(): Disposable & { readonly signal: AbortSignal } {
  const controller = new AbortController()
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  let received: NodeJS.Signals | undefined
  const forget = () => {
    for (const name of signals) process.off(name, end)
  }
  function end(name: NodeJS.Signals) {
    received = name
    forget()
    controller.abort()
  }
  for (const name of signals) process.on(name, end)
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      forget()
      // A shell loop stops only if a signal ended the command.
      if (received) process.kill(process.pid, received)
    },
  }
}
