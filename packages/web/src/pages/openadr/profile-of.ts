import type { OpenadrProgram } from '@plantroom/contract/openadr'
import type { Profile } from '@plantroom/contract/openadr-profile'
import { PROFILES } from '@plantroom/openadr/profiles'
import { openadr } from '../../texts/openadr.ts'

/** Returns what the payloads of a program mean; `undefined` for an own profile that is missing. */
export const profileOf = ({ profile, ownProfile }: Pick<OpenadrProgram, 'profile' | 'ownProfile'>) =>
  profile === 'own' ? (ownProfile ?? undefined) : PROFILES[profile]

/** Returns the name of the profile of a program for people. */
export const profileName = ({ profile, ownProfile }: Pick<OpenadrProgram, 'profile' | 'ownProfile'>): string =>
  profile === 'own' && ownProfile ? ownProfile.title : openadr.form.profiles[profile]

/** Returns what a payload means; `undefined` when the profile does not know it. */
export const payloadRule = (profile: Profile | undefined, payload: string) =>
  profile && Object.hasOwn(profile.payloads, payload) ? profile.payloads[payload] : undefined
