import { mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './environment.ts'
import { run } from './run.ts'

/** The last commit whose programs speak protocol 1. */
const PREVIOUS = '7eb3ff1a9f'

/** The programs of an earlier version, run from their sources with the dependencies of this one. */
export interface PreviousVersion {
  edge: string
  cloud: string
}

/** Puts the sources of the previous version into a folder. */
export async function checkOutPrevious(folder: string): Promise<PreviousVersion> {
  const archive = join(folder, 'previous.tar')
  const root = join(folder, 'previous')
  mkdirSync(root)
  await succeed('git', ['archive', '--output', archive, PREVIOUS, 'packages', 'package.json'])
  await succeed('tar', ['-x', '-f', archive, '-C', root])
  const modules = join(root, 'node_modules')
  mkdirSync(join(modules, '@plantroom'), { recursive: true })
  for (const name of readdirSync(join(ROOT, 'node_modules'))) {
    if (name !== '@plantroom') symlinkSync(join(ROOT, 'node_modules', name), join(modules, name))
  }
  // Our own packages are those of the previous version.
  for (const name of readdirSync(join(root, 'packages'))) {
    symlinkSync(join(root, 'packages', name), join(modules, '@plantroom', name))
  }
  const programOf = (name: string) => join(root, 'packages', name, 'src/main.ts')
  return { edge: programOf('edge'), cloud: programOf('cloud') }
}

async function succeed(program: string, args: readonly string[]): Promise<void> {
  const { code, stderr } = await run(program, args)
  if (code !== 0) throw new Error(`${program} ${args[0]}: ${stderr} (the history of the repository is needed)`)
}
