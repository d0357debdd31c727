import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** The name of a program in a build: `packages/cloud/src/run-job.ts` becomes `cloud-run-job`. */
export function builtName(source: string): string {
  const folder = basename(dirname(source))
  const room = folder === 'src' ? basename(dirname(dirname(source))) : folder
  return `${room}-${basename(source, '.ts')}`
}

/** Returns the file to start for one of our programs: its source, or its built form if this process was built, too. */
export function programFile(source: string): string {
  const own = import.meta.filename
  return own.endsWith('.ts') ? source : join(dirname(own), `${builtName(source)}.js`)
}

/** Reports whether this process runs from a checkout, which has the tools of developers, and not from a release. */
export function isCheckout(): boolean {
  const own = import.meta.filename
  return existsSync(join(dirname(own), own.endsWith('.ts') ? '../../../tools' : '../tools'))
}
