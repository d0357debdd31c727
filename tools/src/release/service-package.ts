import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { VERSION } from '@plantroom/contract/version'
import { compressFiles } from '../build-console/output.ts'
import { buildPrograms, PROGRAMS } from '../build-programs/build.ts'
import { run } from './run.ts'

/** Files that the programs read beside their sources. */
const BESIDE = ['packages/web/dist', 'docs/dist', 'packages/fpl/schemas', 'packages/simulator/demo', 'templates']
/** Configurations of other programs that the guides use. */
export const DEPLOY = 'deploy'
/** The API reference needs these files and no code of their package, which would bring forty others along. */
const SWAGGER_FILES = 'node_modules/@fastify/swagger-ui/static'
/** What a build leaves in folders of their own, with the package that names its version. */
const NOT_BUILT = {
  '@node-rs/argon2': 'cloud',
  ajv: 'fpl',
} as const

const MAN_PAGE = 'man/plantroom.1'

/** What the command prints about itself, as files for the programs that look for them in folders. */
const PRINTED = {
  man: MAN_PAGE,
  'completion bash': 'completions/plantroom.bash',
  'completion zsh': 'completions/_plantroom',
  'completion fish': 'completions/plantroom.fish',
} as const

/** Where Debian has them: the first is compressed. */
export const DEBIAN_PLACES: Readonly<Record<(typeof PRINTED)[keyof typeof PRINTED], string>> = {
  [MAN_PAGE]: '/usr/share/man/man1/plantroom.1.gz',
  'completions/plantroom.bash': '/usr/share/bash-completion/completions/plantroom',
  'completions/_plantroom': '/usr/share/zsh/vendor-completions/_plantroom',
  'completions/plantroom.fish': '/usr/share/fish/vendor_completions.d/plantroom.fish',
}

interface PackageFile {
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

/**
 * Writes the npm package `plantroom` into a folder: built programs, the console and a launcher. It needs no development
 * dependency.
 */
export async function writeServicePackage(root: string, folder: string): Promise<void> {
  await buildPrograms(root, PROGRAMS, join(folder, 'dist'), '..')
  for (const path of [...BESIDE, DEPLOY]) cpSync(join(root, path), join(folder, path), { recursive: true })
  cpSync(join(root, SWAGGER_FILES), join(folder, 'packages/cloud/src/platform/http/swagger-ui'), { recursive: true })
  await compressFiles(join(folder, 'packages/web/dist/assets'), 'ofRelease')
  for (const name of ['LICENSE', 'CHANGELOG.md']) cpSync(join(root, name), join(folder, name))
  cpSync(join(root, 'tools/src/release/README.md'), join(folder, 'README.md'))
  writeLauncher(root, folder)
  for (const [command, path] of Object.entries(PRINTED)) {
    const text = await run([process.execPath, join(folder, 'dist/cli-main.js'), ...command.split(' ')], root)
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), `${text.trimEnd()}\n`)
  }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(packageFile(root), null, 2)}\n`)
}

/** Writes the command that starts the programs in `dist`. */
export function writeLauncher(root: string, folder: string): void {
  mkdirSync(join(folder, 'bin'), { recursive: true })
  cpSync(join(root, 'packages/cli/launch.sh'), join(folder, 'bin/launch.sh'))
  cpSync(join(root, 'tools/src/release/plantroom.sh'), join(folder, 'bin/plantroom'))
  chmodSync(join(folder, 'bin/plantroom'), 0o755)
}

function packageFile(root: string) {
  const versions = (name: string): PackageFile =>
    JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'))
  const dependencies = Object.entries(NOT_BUILT).map(([name, from]) => {
    const version = versions(from).dependencies?.[name]
    if (version === undefined) throw new Error(`packages/${from} does not depend on ${name} any more`)
    return [name, version]
  })
  const { description, license, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return {
    name: 'plantroom',
    version: VERSION,
    description,
    license,
    type: 'module',
    engines,
    os: ['linux', 'darwin'],
    bin: { plantroom: 'bin/plantroom' },
    // npm makes it known to man(1) in a global installation.
    man: [MAN_PAGE],
    dependencies: Object.fromEntries(dependencies),
    optionalDependencies: { ...versions('cloud').optionalDependencies, ...versions('drivers').optionalDependencies },
  }
}
