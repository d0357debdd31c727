import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePorts } from '@plantroom/testkit/free-port'
import { eventually } from './eventually.ts'

/** Installed when a test needs it: it brings 300 packages that the product never loads. */
const VERDACCIO = {
  dependencies: { verdaccio: '6.10.4' },
  // Verdaccio asks for it by the name of a tag, which a mirror may lack.
  overrides: { 'node-fetch': '2.7.0' },
}

/**
 * A registry on this machine. It passes requests for the packages of others on to the registry that npm is configured with, and
 * has the whole environment of the caller, which may say how to reach that one.
 */
export interface Registry extends AsyncDisposable {
  /** Settings of npm that use this registry and a cache of its own. */
  readonly settings: Readonly<Record<string, string>>
}

export async function startRegistry(folder: string): Promise<Registry> {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, ...VERDACCIO }))
  execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const [port = 0] = await freePorts(1)
  writeFileSync(join(folder, 'config.yaml'), JSON.stringify(configuration(folder)))
  const program = join(folder, 'node_modules/verdaccio/bin/verdaccio')
  const child = spawn(
    process.execPath,
    [program, '--config', join(folder, 'config.yaml'), '--listen', `127.0.0.1:${port}`],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  )
  const exited = once(child, 'exit')
  const url = `http://127.0.0.1:${port}/`
  await eventually(async () => void (await fetch(`${url}-/ping`)))
  writeFileSync(join(folder, 'npmrc'), `//127.0.0.1:${port}/:_authToken=${await newToken(url)}\n`)
  return {
    settings: {
      npm_config_registry: url,
      npm_config_userconfig: join(folder, 'npmrc'),
      npm_config_cache: join(folder, 'cache'),
      npm_config_loglevel: 'error',
      npm_config_update_notifier: 'false',
    },
    async [Symbol.asyncDispose]() {
      child.kill()
      await exited
    },
  }
}

function configuration(folder: string) {
  const npm = (name: string) => execFileSync('npm', ['config', 'get', name], { encoding: 'utf8' }).trim()
  const cafile = npm('cafile')
  return {
    storage: join(folder, 'storage'),
    auth: { htpasswd: { file: join(folder, 'htpasswd') } },
    uplinks: { configured: { url: npm('registry'), maxage: '1d', ...(cafile !== 'null' && { ca: cafile }) } },
    packages: {
      plantroom: { access: '$all', publish: '$authenticated' },
      '@plantroom/*': { access: '$all', publish: '$authenticated' },
      '**': { access: '$all', proxy: 'configured' },
    },
    log: { type: 'stdout', level: 'warn' },
  }
}

async function newToken(url: string): Promise<string> {
  const reply = await fetch(`${url}-/user/org.couchdb.user:publisher`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'publisher', password: 'only-in-this-test' }),
  })
  const { token } = (await reply.json()) as { token?: string }
  if (token === undefined) throw new Error(`the registry made no account: ${reply.status}`)
  return token
}
