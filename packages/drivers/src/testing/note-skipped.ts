/** Prints the line from which `plantroom campaign` says what it has skipped. */
export function noteSkipped(name: string, error: unknown): void {
  const { stderr = '', message } = error as { stderr?: string; message: string }
  const reason = stderr.trim().split('\n').at(-1) || message.split('\n')[0]
  // biome-ignore lint/suspicious/noConsole: a campaign reads what its tests print
  console.log(`skipped: ${name}, because it cannot be installed: ${reason}`)
}
