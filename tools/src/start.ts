/** An error in the arguments of a command. Node's `parseArgs` throws errors with codes of the same form. */
export class UsageError extends Error {
  readonly code = 'ERR_PARSE_ARGS_INVALID'
}

/** Runs a command's `main` and exits with the code that it returns; 2 for wrong arguments, 1 when it throws. */
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
