/** Runs a command's `main` and exits with what it returns; 2 when its arguments were wrong, 1 when it threw. */
export async function start(command: string, main: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await main()
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    const isUsage = code.startsWith('ERR_PARSE_ARGS')
    console.error(`plantroom ${command}: ${message}${isUsage ? ' (see --help)' : ''}`)
    process.exitCode = isUsage ? 2 : 1
  }
}
