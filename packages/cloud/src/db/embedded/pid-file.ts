/** What a running server writes to postmaster.pid. */
export interface PidFile {
  readonly pid: number
  readonly port: number
  readonly socketFolder: string
  readonly status: 'starting' | 'ready' | 'stopping'
}

/** Undefined for a file that is not, or not yet, whole. */
export function parsePidFile(text: string): PidFile | undefined {
  const [pid, , , port, socketFolder, , , status] = text.split('\n')
  if (!isPositiveInteger(pid) || !isPositiveInteger(port) || !socketFolder) return undefined
  return { pid: Number(pid), port: Number(port), socketFolder, status: statusOf(status?.trim()) }
}

/** The first line of a pid or lock file, also of one that is not whole. */
export function firstPid(text: string): number | undefined {
  const [pid] = text.split('\n')
  return isPositiveInteger(pid) ? Number(pid) : undefined
}

function isPositiveInteger(text: string | undefined): text is string {
  return /^[1-9]\d{0,9}$/.test(text ?? '')
}

function statusOf(word: string | undefined): PidFile['status'] {
  return word === 'ready' || word === 'stopping' ? word : 'starting'
}
