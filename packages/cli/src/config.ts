import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readLocalService } from '@plantroom/base/local-service'
import { UsageError } from './command.ts'
import { type DemoFile, demoFilePath } from './demo/demo-file.ts'
import { openProfiles, type Profile, type Profiles } from './profiles.ts'

/** The target of a command: from flags, then the environment, then a profile, otherwise the demo or the cloud of the data folder. */
export interface CliConfig {
  folder: string
  /** The environment for child processes that run our programs. */
  environment: NodeJS.ProcessEnv
  url: string
  /** The name of the profile that is used. */
  profile: string | undefined
  /** True if the data folder has a demo that is not used, because of the default profile. */
  hidesDemo: boolean
  apiKey: string | undefined
  adminToken: string | undefined
  orgId: string | undefined
  siteId: string | undefined
  deviceId: string | undefined
  tlsCert: string | undefined
  /** The certificate of a cloud on this machine, in PEM form, which may be for another name than `url` has. */
  certificate: string | undefined
  demo: DemoFile | undefined
}

export interface Flags {
  json?: boolean | undefined
  profile?: string | undefined
  url?: string | undefined
  org?: string | undefined
  device?: string | undefined
}

/** Opens the profiles of the person who runs the command. */
export const ownProfiles = (env: NodeJS.ProcessEnv = process.env): Profiles => openProfiles(env)

/** Reads the target of a command. The demo passes `null`: it must not depend on what a person has configured. */
export function readConfig(
  flags: Flags = {},
  env: NodeJS.ProcessEnv = process.env,
  profiles: Pick<Profiles, 'current' | 'read'> | null = ownProfiles(env),
): CliConfig {
  const folder = resolve(env.PLANTROOM_DATA || '.plantroom')
  const found = readJson<DemoFile>(demoFilePath(folder))
  const used = profiles ? profileOf(flags, env, profiles) : undefined
  // All or nothing: the secrets of a demo must not reach the service of a profile.
  const demo = used ? undefined : found
  const own = used?.profile
  const service = used || demo ? undefined : readLocalService(folder)
  const asked = flags.url || env.PLANTROOM_URL
  const url = withoutSlash(asked || own?.url || demo?.baseUrl || service?.url || defaultUrl(env))
  // As with a profile, the secret of a service is for its own address only.
  const local = service?.url === url ? service : undefined
  return {
    folder,
    environment: env,
    url,
    profile: used?.name,
    hidesDemo: found?.baseUrl !== undefined && used?.isDefault === true,
    apiKey: env.PLANTROOM_API_KEY || (used ? own?.apiKey : demo?.apiKey),
    adminToken:
      env.PLANTROOM_ADMIN_TOKEN || (used ? own?.adminToken : (local?.token ?? readText(join(folder, 'admin-token')))),
    orgId: flags.org || env.PLANTROOM_ORG || own?.org || demo?.orgId,
    siteId: env.PLANTROOM_SITE || own?.site || demo?.propertyId,
    deviceId: flags.device || env.PLANTROOM_DEVICE || own?.device || demo?.deviceId,
    tlsCert: env.PLANTROOM_TLS_CERT || undefined,
    // Without a file to read, the cloud reports that it is unreadable.
    certificate: local?.certificate ?? readText(env.PLANTROOM_TLS_CERT ?? ''),
    demo,
  }
}

const defaultUrl = (env: NodeJS.ProcessEnv) => `http://127.0.0.1:${env.PLANTROOM_PORT || 8080}`

interface UsedProfile {
  name: string
  profile: Profile
  isDefault: boolean
}

/**
 * Returns the profile to use. Its secrets are only for its own service: another address makes the default profile
 * unused, and contradicts one that was asked for.
 */
function profileOf(flags: Flags, env: NodeJS.ProcessEnv, profiles: Pick<Profiles, 'current' | 'read'>) {
  const asked = flags.profile || env.PLANTROOM_PROFILE
  const url = flags.url || env.PLANTROOM_URL
  // Without asking: a broken default profile does not matter to a command that names its service.
  if (!asked && url) {
    const name = profiles.current()
    const profile = name === undefined ? undefined : readOrNothing(profiles, name)
    return name !== undefined && profile?.url === withoutSlash(url) ? { name, profile, isDefault: true } : undefined
  }
  const name = asked || profiles.current()
  if (name === undefined) return undefined
  const used: UsedProfile = { name, profile: profiles.read(name), isDefault: !asked }
  if (url && withoutSlash(url) !== used.profile.url) {
    const given = flags.url ? '--url' : 'PLANTROOM_URL'
    throw new UsageError(
      `${given} ${url} is not the service of profile ${name}, ${used.profile.url}; leave out one of the two`,
    )
  }
  return used
}

function readOrNothing(profiles: Pick<Profiles, 'read'>, name: string): Profile | undefined {
  try {
    return profiles.read(name)
  } catch {
    return undefined
  }
}

/** Returns the address of a service without a slash at its end. */
export const withoutSlash = (url: string) => url.replace(/(?<!\/)\/+$/, '')

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
