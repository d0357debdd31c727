import { spawn, spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { repeat } from '@plantroom/testkit/repetitions'
import { chromium } from '@playwright/test'
import { expect, test } from 'vitest'
import { readDemoJson } from './support/demo.ts'
import { environment, ROOT, type Settings } from './support/environment.ts'
import { eventually } from './support/eventually.ts'
import { ownFolder } from './support/folder.ts'
import { equipmentAt } from './support/modbus.ts'
import { startRegistry } from './support/registry.ts'

const ANY_PORTS = Object.fromEntries(
  ['PORT', 'MQTT_PORT', 'SIMULATOR_MODBUS_PORT', 'SIMULATOR_MQTT_PORT', 'SIMULATOR_OBIX_PORT'].map((name) => [
    `PLANTROOM_${name}`,
    '0',
  ]),
)
const BROWSER = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((path) => existsSync(path))

/** Lists the sites of an organization, in Node and in browsers. */
const PROGRAM = `import { createClient, sendWithToken } from '@plantroom/client'
export async function namesOfSites(url: string, token: string, orgId: string): Promise<string[]> {
  const { sites } = await createClient(sendWithToken(url, token)).listSites({ orgId })
  return sites.map(({ name }) => name)
}
`

test('both packages work from a registry: npx, a global installation, and the client in Node and in a browser', async () => {
  await repeat(1, async () => {
    await using own = ownFolder()
    const at = (...names: string[]) => join(own.path, ...names)
    await using registry = await startRegistry(at('registry'))
    const run = (folder: string, settings: Settings, ...[program = '', ...args]: string[]) => {
      mkdirSync(folder, { recursive: true })
      const env = environment({ ...registry.settings, ...settings })
      const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder, encoding: 'utf8', env })
      if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}${stdout}`)
      return stdout
    }

    run(ROOT, {}, process.execPath, 'tools/src/release.ts', at('release'))
    for (const path of globSync('*.tgz', { cwd: at('release') }))
      run(own.path, {}, 'npm', 'publish', at('release', path))
    // The first call fills the cache; npx would then use the same installation again.
    expect(run(at('first'), {}, 'npx', '--yes', 'plantroom', '--help')).toMatch(/demo +run a cloud/)
    rmSync(at('registry/cache/_npx'), { recursive: true })

    const figures: Record<string, number> = {}
    const measure = async (what: string, work: () => unknown) => {
      const since = performance.now()
      await work()
      figures[what] = (performance.now() - since) / 1000
    }
    const wanted = JSON.parse(run(own.path, {}, 'npm', 'view', 'plantroom', '--json'))
    await measure('bare npm install of the dependencies', () => {
      mkdirSync(at('bare'))
      writeFileSync(
        at('bare/package.json'),
        JSON.stringify({ dependencies: wanted.dependencies, optionalDependencies: wanted.optionalDependencies }),
      )
      run(at('bare'), {}, 'npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund')
    })
    mkdirSync(at('empty'))
    const demo = spawn('npx', ['--yes', 'plantroom', 'demo'], {
      cwd: at('empty'),
      env: environment({ ...registry.settings, ...ANY_PORTS }),
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let printed = ''
    demo.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString()
    })
    await measure('npx plantroom demo, to ready', () =>
      eventually(() => expect(printed).toContain('Plantroom is running'), 200_000),
    )
    console.log(
      Object.entries(figures)
        .map(([what, seconds]) => `${what}: ${seconds.toFixed(1)} s`)
        .join('\n'),
    )

    const { baseUrl, adminToken, orgId, connections } = readDemoJson(at('empty/.plantroom'))
    for (const path of ['/docs/static/swagger-ui-bundle.js', '/help/', '/'])
      expect([path, (await fetch(`${baseUrl}${path}`)).status]).toEqual([path, 200])
    const npx = (...args: string[]) => run(at('empty'), {}, 'npx', 'plantroom', ...args)
    expect(npx('dr', 'values', 'Inverter')).toContain('Charge power')
    npx('dr', 'override', 'Charge power', '17', '--for', '5m')
    const port = Number(connections.find(({ name }) => name === 'Inverter')?.endpoint.split(':')[1])
    const held = async () => (await equipmentAt(() => port).holding(1, 100, 1)).readInt16BE(0)
    await eventually(async () => expect(await held()).toBe(170))

    run(own.path, {}, 'npm', 'install', '--global', '--prefix', at('global'), 'plantroom')
    expect(run(at('empty'), {}, at('global/bin/plantroom'), 'dr', 'values', 'Inverter')).toContain('Charge power')

    mkdirSync(at('project'))
    writeFileSync(at('project/package.json'), '{ "type": "module" }')
    run(at('project'), {}, 'npm', 'install', '@plantroom/client')
    writeFileSync(at('project/sites.ts'), PROGRAM)
    const call = `namesOfSites(${[baseUrl, adminToken, orgId].map((text) => JSON.stringify(text)).join(', ')})`
    writeFileSync(
      at('project/use.ts'),
      `import { namesOfSites } from './sites.ts'\nconsole.log(JSON.stringify(await ${call}))\n`,
    )
    const inNode: string[] = JSON.parse(run(at('project'), {}, process.execPath, 'use.ts'))
    expect(inNode).toHaveLength(1)
    const strict = [
      '--noEmit',
      '--strict',
      '--module',
      'nodenext',
      '--target',
      'es2024',
      '--lib',
      'es2024,dom',
      '--types',
      '',
    ]
    run(at('project'), {}, join(ROOT, 'node_modules/.bin/tsc'), ...strict, '--allowImportingTsExtensions', 'sites.ts')

    const library = { entry: at('project/sites.ts'), formats: ['iife'], name: 'example', fileName: 'sites' }
    writeFileSync(
      at('project/vite.config.js'),
      `export default { build: { lib: ${JSON.stringify(library)} }, logLevel: 'error' }`,
    )
    run(at('project'), {}, join(ROOT, 'node_modules/.bin/vite'), 'build')
    const [bundle = ''] = globSync('dist/*.js', { cwd: at('project') })
    const browser = await chromium.launch({ ...(BROWSER && { executablePath: BROWSER }) })
    try {
      const page = await browser.newPage()
      await page.goto(baseUrl)
      const script = `(() => { ${readFileSync(at('project', bundle), 'utf8')}\nreturn example.${call} })()`
      expect(await page.evaluate(script)).toEqual(inNode)
    } finally {
      await browser.close()
    }

    process.kill(-(demo.pid ?? 0), 'SIGINT')
    await new Promise((resolve) => demo.once('exit', resolve))
  })
}, 1_800_000)
