import { cpSync, existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { installedBy, type Lockfile } from './locked.ts'

const PACKAGE = 'node_modules/serialport'
/** What runs, and what its licences require. The rest is for compilers, and for people who read the sources. */
const KEPT = ['**/package.json', '**/*.js', '**/{LICENSE,license}*']

/**
 * Copies the package that opens serial ports and what it needs from the checkout, with native code for one processor only.
 * npm checked its files when it installed them. `cpu` is a name of npm.
 */
export function copySerialPort(root: string, folder: string, cpu: string): void {
  const { packages }: Lockfile = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const native = `prebuilds/linux-${cpu}/*.glibc.node`
  let found = 0
  for (const place of installedBy(packages, [PACKAGE])) {
    if (!existsSync(join(root, place))) throw new Error(`${place} is not installed: run "npm ci"`)
    const files = (pattern: string | string[]) =>
      globSync(pattern, { cwd: join(root, place), exclude: ['node_modules/**'] })
    const programs = files(native)
    found += programs.length
    for (const file of [...files(KEPT), ...programs]) cpSync(join(root, place, file), join(folder, place, file))
  }
  if (found !== 1) throw new Error(`${PACKAGE} has ${found} native programs for ${cpu}, not one`)
}
