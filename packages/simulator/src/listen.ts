/**
 * Starts a server on the configured port; without one, on the default port, or on any free port if that is in use. Rejects
 * with a one-line message that says what to do.
 */
export async function listenOn<Server>(options: {
  /** The display name of the protocol. */
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
