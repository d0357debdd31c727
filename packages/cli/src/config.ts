import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type DemoFile, demoFilePath } from './demo/demo-file.ts'

/** The target of a command: from flags, then the environment, then a demo in the data folder. */
export interface CliConfig {
  folder: string
  /** The environment for child processes that run our programs. */
  environment: NodeJS.ProcessEnv
  url: string
  apiKey: string | undefined
  adminToken: string | undefined
  orgId: string | undefined
  siteId: string | undefined
  deviceId: string | undefined
  tlsCert: string | undefined
  demo: DemoFile | undefined
}

export interface Flags {
  url?: string | undefined
  org?: string | undefined
  device?: string | undefined
}

export function readConfig(flags: Flags = {}, env: NodeJS.ProcessEnv = process.env): CliConfig {
  const folder = resolve(env.PLANTROOM_DATA || '.plantroom')
  const demo = readJson<DemoFile>(demoFilePath(folder))
  return {
    folder,
    environment: env,
    url: (flags.url || env.PLANTROOM_URL || demo?.baseUrl || `http://127.0.0.1:${env.PLANTROOM_PORT || 8080}`).replace(
      /\/+$/,
      '',
    ),
    apiKey: env.PLANTROOM_API_KEY || demo?.apiKey,
    adminToken: env.PLANTROOM_ADMIN_TOKEN || readText(join(folder, 'admin-token')),
    orgId: flags.org || env.PLANTROOM_ORG || demo?.orgId,
    siteId: env.PLANTROOM_SITE || demo?.propertyId,
    deviceId: flags.device || env.PLANTROOM_DEVICE || demo?.deviceId,
    tlsCert: env.PLANTROOM_TLS_CERT || undefined,
    demo,
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return undefined
  }
}

function readJson<Value>(path: string): Value | undefined {
  try {
    return JSON.parse(readText(path) ?? '') as Value
  } catch {
    return undefined
  }
}
