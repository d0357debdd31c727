/** Runs `tidy` before Ctrl-C, a kill or a closed terminal ends the process, which then ends as it would have without us. */
export function onTermination(tidy: () => void): Disposable {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  const forget = () => {
    for (const signal of signals) process.off(signal, end)
  }
  function end(signal: NodeJS.Signals) {
    forget()
    tidy()
    // Not exit(130): a shell that runs us in a loop ends the loop only where a signal ended us.
    process.kill(process.pid, signal)
  }
  for (const signal of signals) process.on(signal, end)
  return { [Symbol.dispose]: forget }
}
