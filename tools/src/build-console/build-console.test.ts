import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ROOT } from '../steps.ts'
import { buildConsole } from './build.ts'
import { firstScripts, type Manifest, swapIn } from './output.ts'
import { stampOfBuild, stampOfSources } from './stamp.ts'

const PAGE = '<!doctype html><html><body><script type="module" src="/main.js"></script></body></html>'

/** A checkout with a console of two scripts; the first imports the second when it needs it. */
function checkout() {
  const root = mkdtempSync(join(tmpdir(), 'plantroom-console-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  write('package-lock.json', '{}')
  write('packages/client/src/http.ts', 'export {}')
  write('packages/contract/src/jobs.ts', 'export {}')
  write('packages/web/index.html', PAGE)
  write('packages/web/main.js', `document.title = 'first'; import('./later.js')`)
  write('packages/web/later.js', `document.title = '${'later '.repeat(100)}'`)
  write('packages/web/public/theme.js', 'theme()')
  const web = join(root, 'packages/web')
  const module = JSON.stringify(join(import.meta.dirname, 'build.ts'))
  write('build.mjs', `import { buildConsole } from ${module}; await buildConsole(${JSON.stringify(root)})`)
  const startBuild = () => spawn(process.execPath, [join(root, 'build.mjs')], { stdio: 'inherit' })
  return { root, web, dist: join(web, 'dist'), write, startBuild }
}

const scriptsOf = (dist: string) =>
  readdirSync(join(dist, 'assets'))
    .filter((name) => name.endsWith('.js'))
    .map((name) => readFileSync(join(dist, 'assets', name), 'utf8'))
    .join('\n')

describe('the stamp of the sources', () => {
  test.each([
    ['packages/web/main.js', 'changed'],
    ['packages/web/src/deep/down/new.tsx', 'new'],
    ['packages/client/src/http.ts', 'changed'],
    ['packages/contract/src/new.ts', 'new'],
    ['package-lock.json', '{"changed": true}'],
  ])('changes with %s', (path, text) => {
    const { root, write } = checkout()
    const before = stampOfSources(root)
    expect(stampOfSources(root)).toBe(before)
    write(path, text)
    expect(stampOfSources(root)).not.toBe(before)
  })

  test.each([
    'packages/web/src/page.test.tsx',
    'packages/web/src/help/search.ts',
    'packages/web/dist/index.html',
    'packages/web/.building-1/fresh/index.html',
    'packages/web/node_modules/some/index.js',
    'packages/cloud/src/wire/cloud.ts',
  ])('does not change with %s', (path) => {
    const { root, write } = checkout()
    const before = stampOfSources(root)
    write(path, 'anything')
    expect(stampOfSources(root)).toBe(before)
  })

  test('changes when a file is renamed or a line moves to the next file', () => {
    const { root, web, write } = checkout()
    write('packages/web/a.js', 'one\ntwo\n')
    write('packages/web/b.js', 'three\n')
    const stamps = new Set([stampOfSources(root)])
    write('packages/web/a.js', 'one\n')
    write('packages/web/b.js', 'two\nthree\n')
    stamps.add(stampOfSources(root))
    rmSync(join(web, 'b.js'))
    write('packages/web/c.js', 'two\nthree\n')
    stamps.add(stampOfSources(root))
    expect(stamps.size).toBe(3)
  })
})

describe('a build of the console', () => {
  test('has compressed scripts and the stamp of its sources', async () => {
    const { root, web, dist } = checkout()
    const built = await buildConsole(root)
    expect(readFileSync(join(dist, 'index.html'), 'utf8')).toMatch(/src="\/assets\/index-[\w-]+\.js"/)
    expect(existsSync(join(dist, 'theme.js'))).toBe(true)
    const scripts = readdirSync(join(dist, 'assets')).filter((name) => name.endsWith('.js'))
    expect(scripts).toHaveLength(2)
    for (const name of scripts) {
      const [plain, brotli, gzipped] = ['', '.br', '.gz'].map((suffix) =>
        readFileSync(join(dist, 'assets', name + suffix)),
      )
      expect(brotliDecompressSync(brotli ?? '')).toEqual(plain)
      expect(gunzipSync(gzipped ?? '')).toEqual(plain)
    }
    expect(stampOfBuild(dist)).toBe(stampOfSources(root))
    // Only the first script counts: it imports the other when it needs it.
    const [first = ''] = scripts.filter((name) => name.startsWith('index-'))
    expect(built?.firstLoad).toBe(readFileSync(join(dist, 'assets', `${first}.gz`)).length)
    expect(readdirSync(web).filter((name) => name.startsWith('.'))).toEqual([])
  })

  test('is repeated when a source changed, and only then', async () => {
    const { root, dist, write } = checkout()
    expect(await buildConsole(root)).toBeDefined()
    expect(await buildConsole(root)).toBeUndefined()
    write('packages/web/main.js', `document.title = 'second'`)
    expect(await buildConsole(root)).toBeDefined()
    expect(scriptsOf(dist)).toContain('second')
    expect(scriptsOf(dist)).not.toContain('later')
  })

  test('that fails leaves the previous one in place', async () => {
    const { root, web, dist, write } = checkout()
    await buildConsole(root)
    write('packages/web/main.js', `import './none.js'`)
    await expect(buildConsole(root)).rejects.toThrow('none.js')
    expect(scriptsOf(dist)).toContain('first')
    expect(stampOfBuild(dist)).not.toBe(stampOfSources(root))
    expect(readdirSync(web).filter((name) => name.startsWith('.'))).toEqual([])
  })

  test('that is too large for the first load is rejected with both sizes', async () => {
    const { root, dist } = checkout()
    await expect(buildConsole(root, 20)).rejects.toThrow(
      /first load of the console is [01]\.\d kB of script, gzipped; the limit is 0\.0 kB/,
    )
    expect(existsSync(dist)).toBe(false)
  })

  test('removes the leftovers of a killed build, but not the files of a running one', async () => {
    const { root, web, write } = checkout()
    const gone = spawn(process.execPath, ['--version'], { stdio: 'ignore' })
    await once(gone, 'exit')
    write(`packages/web/.building-${gone.pid}/fresh/index.html`, 'half')
    write(`packages/web/.building-${process.ppid}/fresh/index.html`, 'half')
    await buildConsole(root)
    expect(readdirSync(web).filter((name) => name.startsWith('.'))).toEqual([`.building-${process.ppid}`])
  })

  test.each([
    ['after its start', ''],
    ['after writing the page', 'fresh/index.html'],
    ['just before its end', 'fresh/.built-from'],
  ])('that is killed %s leaves the old console or the new one, never a part', async (_moment, path) => {
    const { root, web, dist, write, startBuild } = checkout()
    await buildConsole(root)
    write('packages/web/main.js', `document.title = 'second'`)
    const build = startBuild()
    const ended = once(build, 'exit')
    while (build.exitCode === null && !existsSync(join(web, `.building-${build.pid}`, path))) await moment()
    build.kill('SIGKILL')
    await ended
    if (existsSync(dist))
      expect(scriptsOf(dist)).toMatch(stampOfBuild(dist) === stampOfSources(root) ? /second/ : /first/)
    await buildConsole(root)
    expect(scriptsOf(dist)).toContain('second')
    expect(readdirSync(web).filter((name) => name.startsWith('.'))).toEqual([])
  })

  test('is complete when several run concurrently', async () => {
    const { root, web, dist, startBuild } = checkout()
    const builds = [startBuild(), startBuild(), startBuild()]
    const ended = await Promise.all(builds.map((build) => once(build, 'exit')))
    expect(ended.map(([code]) => code)).toEqual([0, 0, 0])
    expect(await buildConsole(root)).toBeUndefined()
    expect(scriptsOf(dist)).toContain('first')
    expect(readdirSync(web).filter((name) => name.startsWith('.'))).toEqual([])
  })
})

/** Waits a millisecond, to poll for files of another process. */
const moment = () => new Promise((resolve) => setTimeout(resolve, 1))

describe('swapIn', () => {
  function folders() {
    const root = mkdtempSync(join(tmpdir(), 'plantroom-swap-'))
    onTestFinished(() => rmSync(root, { recursive: true, force: true }))
    const make = (name: string) => {
      mkdirSync(join(root, name))
      writeFileSync(join(root, name, 'name'), name)
      return join(root, name)
    }
    return { make, place: join(root, 'place'), aside: join(root, 'aside') }
  }
  const nameIn = (folder: string) => readFileSync(join(folder, 'name'), 'utf8')

  test('replaces a folder and moves the old one aside', () => {
    const { make, place, aside } = folders()
    swapIn(make('one'), place, aside)
    expect(nameIn(place)).toBe('one')
    expect(existsSync(aside)).toBe(false)
    swapIn(make('two'), place, aside)
    swapIn(make('three'), place, aside)
    expect([nameIn(place), nameIn(aside)]).toEqual(['three', 'two'])
  })

  test('leaves the old folder in place when the new one is missing', () => {
    const { make, place, aside } = folders()
    swapIn(make('one'), place, aside)
    expect(() => swapIn(join(place, '../none'), place, aside)).toThrow('ENOENT')
    expect(nameIn(place)).toBe('one')
  })
})

describe('the first load', () => {
  test('consists of the entry, the page and their static imports, each once', () => {
    const manifest: Manifest = {
      'index.html': { file: 'assets/index.js', isEntry: true, imports: ['_a.js', '_b.js'] },
      '_a.js': { file: 'assets/a.js', imports: ['_b.js', 'index.html'] },
      '_b.js': { file: 'assets/b.js' },
      'later.js': { file: 'assets/later.js', imports: ['_c.js'] },
      'src/start.tsx': { file: 'assets/start.js', imports: ['_b.js', '_d.js'] },
      '_d.js': { file: 'assets/d.js' },
      '_c.js': { file: 'assets/c.js' },
      'style.css': { file: 'assets/style.css', isEntry: true },
    }
    expect(firstScripts(manifest).sort()).toEqual([
      'assets/a.js',
      'assets/b.js',
      'assets/d.js',
      'assets/index.js',
      'assets/start.js',
    ])
  })
})

test('the console of this checkout builds and is small enough', { timeout: 120_000 }, async () => {
  await buildConsole(ROOT)
  expect(stampOfBuild(join(ROOT, 'packages/web/dist'))).toBe(stampOfSources(ROOT))
})
