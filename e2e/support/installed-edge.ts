import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './environment.ts'
import { run } from './run.ts'

const DPKG = '/usr/bin/dpkg-deb'
export const withoutDpkg = !existsSync(DPKG)

/** Returns the program of the controller as its Debian package installs it, unpacked into a folder. */
export async function installedEdge(folder: string): Promise<string> {
  const architecture = process.arch === 'x64' ? 'amd64' : 'arm64'
  const tool = join(ROOT, 'tools/src/build-debian.ts')
  await succeed(process.execPath, [tool, folder, '--edge', '--fast', '--architecture', architecture])
  const [name = ''] = globSync('plantroom-edge_*.deb', { cwd: folder })
  await succeed(DPKG, ['-x', join(folder, name), join(folder, 'root')])
  return join(folder, 'root/usr/lib/plantroom/edge/dist/edge-main.js')
}

async function succeed(program: string, args: readonly string[]): Promise<void> {
  const { code, stderr } = await run(program, args)
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} failed: ${stderr}`)
}
