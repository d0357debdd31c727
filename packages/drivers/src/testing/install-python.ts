import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { noteSkipped } from './note-skipped.ts'

const run = promisify(execFile)

/** Installs a Python package in a folder of its own. Returns its Python; `undefined` where the registry cannot be reached. */
export async function installPython(folder: string, requirement: string): Promise<string | undefined> {
  try {
    await run('python3', ['-m', 'venv', folder])
    const python = join(folder, 'bin', 'python')
    await run(python, ['-m', 'pip', 'install', '--quiet', requirement])
    return python
  } catch (error) {
    noteSkipped(requirement, error)
    return undefined
  }
}
