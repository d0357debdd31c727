const OURS = /^plantroom-[a-z0-9-]{1,60}-\d{8}T\d{6}Z-[0-9a-z]{8}\.fpl$/
const MAX_SITE_NAME = 40

/** Names a package at its targets: the same for every attempt of a run, and for no other run. */
export function packageNameAt(siteName: string, { runId, dueAt }: { runId: string; dueAt: Date }): string {
  const site = siteName
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_SITE_NAME)
    .replace(/^-+|(?<!-)-+$/g, '')
  const at = dueAt.toISOString().replace(/[-:]|\.\d+/g, '')
  return `plantroom-${site || 'site'}-${at}-${runId.slice(-8)}.fpl`
}

/** True for the name that a run gave to its package. Nothing else is ever removed from a target. */
export const isOwnName = (filename: string, runId: string) =>
  OURS.test(filename) && filename.endsWith(`-${runId.slice(-8)}.fpl`)
