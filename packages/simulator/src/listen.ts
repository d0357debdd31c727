/**
 * Starts a server on the port that was set. Where none was, the usual one is only preferred: when that is taken, any other
 * serves, and whoever needs it is told which. Rejects with one line that says what to do.
 */
export async function listenOn<Server>(options: {
  /** What people call the protocol. */
  name: string
  setting: string
  host: string
  set: number | undefined
  usual: number
  start(port: number): Promise<Server>
}): Promise<Server> {
  const { name, setting, host, set, usual, start } = options
  try {
    return await start(set ?? usual).catch((error: unknown) => {
      if (set === undefined && isTaken(error)) return start(0)
      throw error
    })
  } catch (error) {
    const reason = isTaken(error)
      ? `the port is taken; set ${setting} to another one, or to 0 for any that is free`
      : error instanceof Error
        ? error.message
        : String(error)
    throw new Error(`cannot listen for ${name} on ${host}:${set ?? usual}: ${reason}`)
  }
}

const isTaken = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
