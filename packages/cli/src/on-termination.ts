/** Runs `cleanUp` before SIGINT, SIGTERM or SIGHUP ends the process. The process then ends by the same signal. */
export function onTermination(cleanUp: () => void): Disposable {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  const forget = () => {
    for (const signal of signals) process.off(signal, end)
  }
  function end(signal: NodeJS.Signals) {
    forget()
    cleanUp()
    // Not exit(130): a shell loop stops only if a signal ended the command.
    process.kill(process.pid, signal)
  }
  for (const signal of signals) process.on(signal, end)
  return { [Symbol.dispose]: forget }
}
