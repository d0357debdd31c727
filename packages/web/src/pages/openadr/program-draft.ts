import type { OpenadrProfileName, OpenadrProgram } from '@plantroom/contract/openadr'
import type { OpenadrVersion, Profile } from '@plantroom/contract/openadr-profile'
import { PROFILES } from '@plantroom/openadr/profiles'
import { listed } from '../../parts/value.ts'
import { format } from '../../texts/format.ts'
import { openadr } from '../../texts/openadr.ts'

const texts = openadr.form

/** What the dialog of a program holds. */
export interface ProgramDraft {
  name: string
  vtnUrl: string
  version: OpenadrVersion
  profile: OpenadrProfileName
  clientId: string
  clientSecret: string
  venName: string
  programNames: string[]
  pollSeconds: number | string
  tokenUrl: string
  scope: string
  audience: string
}

/** A program of the organization's name, to start from. */
export const blankDraft = (organization: string): ProgramDraft => ({
  name: '',
  vtnUrl: '',
  version: '3.1',
  profile: 'alliance-3.1',
  clientId: '',
  clientSecret: '',
  venName: organization,
  programNames: [],
  pollSeconds: 60,
  tokenUrl: '',
  scope: '',
  audience: '',
})

/** What is stored of a program; its secret is not known. */
export const draftOf = ({ programNames, tokenUrl, scope, audience, ...program }: OpenadrProgram): ProgramDraft => ({
  name: program.name,
  vtnUrl: program.vtnUrl,
  version: program.version,
  profile: program.profile,
  clientId: program.clientId,
  clientSecret: '',
  venName: program.venName,
  programNames: [...programNames],
  pollSeconds: program.pollSeconds,
  tokenUrl: tokenUrl ?? '',
  scope: scope ?? '',
  audience: audience ?? '',
})

/** Chooses a profile, and the version that it is for if that is only one. */
export function withProfile(profile: OpenadrProfileName): Partial<ProgramDraft> {
  const [only, ...others] = profile === 'own' ? [] : PROFILES[profile].versions
  return only !== undefined && others.length === 0 ? { profile, version: only } : { profile }
}

/** Names the mistakes of a draft by its fields. `before` is the stored program, and nothing for a new one. */
export function draftProblems(
  draft: ProgramDraft,
  { before, ownProfile }: { before: OpenadrProgram | undefined; ownProfile: Profile | undefined },
): { [Name in keyof ProgramDraft]?: string | false } {
  const { name, vtnUrl, version, profile, clientId, clientSecret, venName, pollSeconds } = draft
  const versions = (profile === 'own' ? ownProfile : PROFILES[profile])?.versions
  const isPoll = typeof pollSeconds === 'number' && Number.isInteger(pollSeconds)
  return {
    name: name === '' && texts.noName,
    vtnUrl: !URL.canParse(vtnUrl) && texts.noUrl,
    version:
      versions !== undefined &&
      !versions.includes(version) &&
      format(texts.otherVersion, { versions: listed(versions) }),
    profile: profile === 'own' && !ownProfile && texts.ownProfileBroken,
    clientId: clientId === '' && texts.noClientId,
    clientSecret: clientSecret === '' && (before ? needsSecret(draft, before) && texts.secretAgain : texts.noSecret),
    venName: venName === '' && texts.noVenName,
    pollSeconds: !(isPoll && pollSeconds >= 10 && pollSeconds <= 3600) && texts.noPoll,
  }
}

/** The stored secret must not go to another server, or with another client. */
const needsSecret = (draft: ProgramDraft, before: OpenadrProgram) =>
  draft.vtnUrl !== before.vtnUrl || draft.clientId !== before.clientId || draft.tokenUrl !== (before.tokenUrl ?? '')

/** Returns what is sent. */
export function bodyOf(draft: ProgramDraft, ownProfile: Profile | undefined) {
  const { clientSecret, tokenUrl, scope, audience, pollSeconds, ...fields } = draft
  return {
    ...fields,
    pollSeconds: Number(pollSeconds),
    tokenUrl: tokenUrl || null,
    scope: scope || null,
    audience: audience || null,
    ownProfile: fields.profile === 'own' ? (ownProfile ?? null) : null,
  }
}
