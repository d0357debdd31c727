import { Failure } from '@plantroom/contract/failure'
import type { OpenadrMapping } from '@plantroom/contract/openadr'
import type { Mapping } from '@plantroom/contract/openadr-mapping'
import type { Profile } from '@plantroom/contract/openadr-profile'
import { readMapping } from '@plantroom/openadr/mapping'
import { PROFILES, readProfile } from '@plantroom/openadr/profiles'
import { type Guard, RefusedAddress } from '../../platform/outbound/index.ts'
import type { ProgramSettings } from './program-store.ts'

const MAX_NAMED = 5

/** The profile of a program that is stored. */
export const profileOf = ({ profile, ownProfile }: Pick<ProgramSettings, 'profile' | 'ownProfile'>): Profile => {
  if (profile !== 'own') return PROFILES[profile]
  if (!ownProfile) throw new Error('the program has no profile of its own')
  return ownProfile
}

/** The part of a mapping that events are about. */
export const eventMapping = ({ resources, ...rest }: OpenadrMapping): Mapping => ({
  ...rest,
  resources: resources.map(({ powerDatapointId: _power, energyDatapointId: _energy, ...resource }) => resource),
})

/** Checks what an administrator entered, beside what it names. Throws `invalid` with the field. */
export function checkSettings(settings: ProgramSettings, guard: Pick<Guard, 'check'>): void {
  for (const field of ['vtnUrl', 'tokenUrl'] as const) {
    const url = settings[field]
    if (url !== null) checkAddress(url, field, guard)
  }
  const { version } = settings
  if ((settings.profile === 'own') !== (settings.ownProfile !== null)) {
    throw new Failure('invalid', 'ownProfile is sent with the profile own, and with no other', 'ownProfile')
  }
  const own = settings.ownProfile && readProfile(settings.ownProfile)
  if (own && 'problems' in own) throw describe(own.problems, 'ownProfile')
  const profile = profileOf(settings)
  if (!profile.versions.includes(version)) {
    throw new Failure(
      'invalid',
      `the profile ${profile.name} is for version ${profile.versions.join(' and ')}: choose that version, or another profile`,
      'version',
    )
  }
  const mapping = readMapping(eventMapping(settings.mapping), profile)
  if ('problems' in mapping) throw describe(mapping.problems, 'mapping')
}

function checkAddress(url: string, field: string, guard: Pick<Guard, 'check'>): void {
  try {
    const { search, hash } = guard.check(url)
    if (search || hash) throw new Failure('invalid', `${field} must end with its path: leave out ? and #`, field)
  } catch (error) {
    if (error instanceof RefusedAddress) throw new Failure('invalid', error.message.replace(/^url/, field), field)
    throw error
  }
}

function describe(problems: readonly { path: string; rule: string }[], under: string): Failure {
  const named = problems.slice(0, MAX_NAMED).map(({ path, rule }) => `${under}.${path} ${rule}`)
  const more = problems.length - named.length
  const message = [...named, ...(more > 0 ? [`and ${more} more`] : [])].join('; ')
  return new Failure('invalid', message, `${under}.${problems[0]?.path ?? ''}`)
}
