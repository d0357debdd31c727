import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, posix, relative } from 'node:path'
import { VERSION } from '@plantroom/contract/version'
import { installed } from '../steps.ts'
import { run } from './run.ts'

/** The sources of the client, and of the contract that its types are made of. */
const SOURCES = ['packages/client/src', 'packages/contract/src']
const CONTRACT = '@plantroom/contract/'

/** Writes the npm package `@plantroom/client` into a folder: JavaScript and types that need no other package. */
export async function writeClientPackage(root: string, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  await compile(root, join(folder, 'lib'))
  // Types and modules name each other in two ways that only a checkout understands.
  const contract = exportsOf(root, 'contract')
  for (const path of globSync('lib/**/*.{js,d.ts}', { cwd: folder })) {
    const text = readFileSync(join(folder, path), 'utf8')
    writeFileSync(join(folder, path), inPackage(text, path, contract))
  }
  const { description, license } = packageOf(root, 'client')
  const names = Object.entries(exportsOf(root, 'client')).filter(([name]) => !name.includes('testing'))
  writeFileSync(
    join(folder, 'package.json'),
    `${JSON.stringify(
      {
        name: '@plantroom/client',
        version: VERSION,
        description,
        license,
        type: 'module',
        sideEffects: false,
        exports: Object.fromEntries([...names, ['.', './src/index.ts']].map(([name, source]) => [name, built(source)])),
      },
      null,
      2,
    )}\n`,
  )
  for (const name of ['LICENSE', 'packages/client/README.md'])
    cpSync(join(root, name), join(folder, posix.basename(name)))
}

async function compile(root: string, out: string): Promise<void> {
  const settings = join(root, `tsconfig.release-${process.pid}.json`)
  const files = SOURCES.flatMap((folder) =>
    globSync(`${folder}/**/*.ts`, { cwd: root, exclude: ['**/*.test.ts', '**/testing/**'] }),
  )
  const compilerOptions = {
    noEmit: false,
    declaration: true,
    outDir: out,
    rootDir: 'packages',
    // A browser has fetch and crypto, too.
    lib: ['es2024', 'esnext.disposable', 'dom'],
    types: [],
    rewriteRelativeImportExtensions: true,
  }
  writeFileSync(
    settings,
    JSON.stringify({ extends: './tsconfig.json', compilerOptions, include: [], files: files.toSorted() }),
  )
  try {
    await run(installed('tsc', '-p', settings), root)
  } finally {
    rmSync(settings)
  }
}

/** Replaces names of files and packages of the checkout by paths inside the package. */
function inPackage(text: string, path: string, contract: Readonly<Record<string, string>>): string {
  return text.replace(/(from |import\()(['"])([^'"]+)\2/g, (all, before: string, quote: string, name: string) => {
    if (name.startsWith('.')) return `${before}${quote}${name.replace(/\.ts$/, '.js')}${quote}`
    if (!name.startsWith(CONTRACT)) return all
    const source = contract[`./${name.slice(CONTRACT.length)}`]
    if (source === undefined) throw new Error(`${path} imports ${name}, which the contract does not export`)
    const target = relative(dirname(path), posix.join('lib/contract', source)).replace(/\.ts$/, '.js')
    return `${before}${quote}${target}${quote}`
  })
}

const built = (source = '') => ({
  types: `./lib/client/${source.slice(2).replace(/\.ts$/, '.d.ts')}`,
  default: `./lib/client/${source.slice(2).replace(/\.ts$/, '.js')}`,
})

function packageOf(root: string, name: string) {
  return JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8')) as {
    description: string
    license: string
    exports: Record<string, string>
  }
}

const exportsOf = (root: string, name: string) => packageOf(root, name).exports
