import { COMMON_FLAGS, flag, required, UsageError, valued } from '../../command.ts'
import { ownProfiles, withoutSlash } from '../../config.ts'
import { command, verb } from '../../declare.ts'
import { note, print, printable, table } from '../../output.ts'
import { checked, type Profile } from '../../profiles.ts'
import { checkProfile } from './check-profile.ts'
import { readSecret } from './read-secret.ts'

const NAME = { name: 'NAME', about: 'the name of the profile', completes: 'profile' } as const
const { json } = COMMON_FLAGS
const PLACE = {
  json,
  org: valued('ORG', 'the organization, by id; with the admin token also by name'),
  site: valued('SITE', 'the site, in the same way'),
  device: valued('DEVICE', 'the device, in the same way'),
} as const
const API_KEY = /^plr_/
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/
const SHAPE = '{name, url, org, site, device, secrets, current}'

export const profile = command('profile', {
  group: 'self',
  about: 'keep the addresses and secrets of several services',
  notes: `add and secret read the API key or the admin token from standard input, or ask for it; it is never an argument, which other users could see. Profiles are in $XDG_CONFIG_HOME/plantroom (~/.config/plantroom), readable only by you.
Options win over the environment, the environment over the profile. A profile hides a demo on this machine. Its secret goes only to its own service.`,
  verbs: {
    add: verb({
      about: 'add a profile, after asking the service whether it accepts the secret',
      arguments: [{ name: 'NAME', about: 'letters, digits, ".", "_" and "-"' }],
      synopsis: '--url URL',
      options: {
        ...PLACE,
        url: valued('URL', 'the service'),
        use: flag('use it from now on'),
        'no-check': flag('do not ask the service'),
      },
      json: SHAPE,
      examples: ['plantroom profile add north --url https://plantroom.example.com --org org_… --device dev_… <key.txt'],
      async run(flags, { NAME }) {
        const profiles = ownProfiles()
        if (profiles.names().includes(checked(NAME))) {
          throw new UsageError(`there is a profile ${NAME} already: plantroom profile remove ${NAME} removes it`)
        }
        const url = serviceUrl(required(flags.url, '--url URL'))
        const given = { url, ...placeOf(flags), ...(await secretOf()) }
        const { profile, note: remark } = flags['no-check']
          ? { profile: given, note: undefined }
          : await checkProfile(given)
        profiles.write(NAME, profile)
        if (flags.use) profiles.use(NAME)
        if (remark !== undefined) note(flags.json, remark)
        warnOfPlainHttp(url, flags.json)
        print(flags.json, shape(NAME, profile, flags.use ? NAME : profiles.current()), () => {
          const how = flags.use
            ? 'commands use it from now on'
            : `use it with --profile ${NAME}, or always: plantroom profile use ${NAME}`
          return `profile ${NAME} (${url}) added; ${how}`
        })
      },
    }),
    list: verb({
      about: 'list profiles, without their secrets',
      options: { json },
      json: `[${SHAPE}, or {name, problem}]`,
      async run(flags) {
        const profiles = ownProfiles()
        const current = profiles.current()
        const found = profiles.names().map((name) => {
          try {
            return shape(name, profiles.read(name), current)
          } catch (error) {
            return { name, problem: (error as Error).message }
          }
        })
        const rows = found.map((each) =>
          'problem' in each
            ? [each.name, 'cannot be used']
            : [
                each.current ? `${each.name} (current)` : each.name,
                ...[each.url, each.org ?? '-', each.site ?? '-', each.device ?? '-', each.secrets.join(', ') || 'none'],
              ],
        )
        const none = 'no profiles yet: plantroom profile add NAME --url URL'
        for (const each of found) if ('problem' in each && !flags.json) note(false, each.problem)
        print(flags.json, found, () => table(['NAME', 'URL', 'ORG', 'SITE', 'DEVICE', 'SECRET'], rows, none))
      },
    }),
    use: verb({
      about: 'use a profile from now on, where a command names no other service',
      arguments: [{ ...NAME, optional: true }],
      options: { json, none: flag('use no profile from now on') },
      json: '{name}; null with --none',
      async run(flags, { NAME: name }) {
        if ((name === undefined) !== (flags.none === true)) throw new UsageError('give a NAME or --none')
        const profiles = ownProfiles()
        const url = name === undefined ? undefined : profiles.read(name).url
        profiles.use(name)
        print(flags.json, { name: name ?? null }, () =>
          name === undefined ? 'commands use no profile' : `commands use profile ${name} (${url}) from now on`,
        )
      },
    }),
    set: verb({
      about: 'change the organization, site or device of a profile; an empty text removes one',
      arguments: [NAME],
      options: PLACE,
      json: SHAPE,
      async run(flags, { NAME: name }) {
        const profiles = ownProfiles()
        const { org, site, device } = flags
        if ([org, site, device].every((value) => value === undefined)) {
          throw new UsageError('nothing to change: give --org, --site or --device')
        }
        const changed = withoutEmpty({ ...profiles.read(name), ...placeOf(flags) })
        const { profile } = await checkProfile(changed)
        profiles.write(name, profile)
        print(flags.json, shape(name, profile, profiles.current()), () => `profile ${name} changed`)
      },
    }),
    secret: verb({
      about: 'replace the API key or the admin token of a profile, or add the other one',
      arguments: [NAME],
      options: { json },
      json: SHAPE,
      async run(flags, { NAME: name }) {
        const profiles = ownProfiles()
        const before = profiles.read(name)
        const { profile } = await checkProfile({ ...before, ...(await secretOf()) })
        profiles.write(name, profile)
        print(flags.json, shape(name, profile, profiles.current()), () => `profile ${name} has the new secret`)
      },
    }),
    remove: verb({
      about: 'remove a profile with its secret; the secret stays valid at the service',
      arguments: [NAME],
      options: { json },
      json: '{name, removed}',
      async run(flags, { NAME: name }) {
        const profiles = ownProfiles()
        if (!profiles.names().includes(name)) profiles.read(name)
        profiles.remove(name)
        if (profiles.current() === name) profiles.use(undefined)
        print(flags.json, { name, removed: true }, () => printable(`profile ${name} removed`))
      },
    }),
  },
})

async function secretOf(): Promise<Pick<Profile, 'apiKey' | 'adminToken'>> {
  const secret = await readSecret('the API key or the admin token')
  return API_KEY.test(secret) ? { apiKey: secret } : { adminToken: secret }
}

function placeOf({ org, site, device }: Partial<Record<'org' | 'site' | 'device', string>>): Partial<Profile> {
  return {
    ...(org !== undefined && { org }),
    ...(site !== undefined && { site }),
    ...(device !== undefined && { device }),
  }
}

const withoutEmpty = (profile: Profile) =>
  Object.fromEntries(Object.entries(profile).filter(([, value]) => value !== '')) as unknown as Profile

function serviceUrl(text: string): string {
  if (URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol)) {
    const { username, password } = new URL(text)
    if (username === '' && password === '') return withoutSlash(text)
  }
  throw new UsageError(`--url ${text} is not an address such as https://plantroom.example.com`)
}

function warnOfPlainHttp(url: string, json: boolean | undefined): void {
  const { protocol, hostname } = new URL(url)
  if (protocol === 'https:' || LOOPBACK.test(hostname)) return
  note(json, `warning: ${url} is not encrypted: everyone on the way can read the secret`)
}

/** What is shown of a profile: everything but the secrets. */
function shape(name: string, { url, org, site, device, apiKey, adminToken }: Profile, current: string | undefined) {
  const secrets = [...(apiKey === undefined ? [] : ['API key']), ...(adminToken === undefined ? [] : ['admin token'])]
  const place = { org: org ?? null, site: site ?? null, device: device ?? null }
  return { name, url, ...place, secrets, current: name === current }
}
