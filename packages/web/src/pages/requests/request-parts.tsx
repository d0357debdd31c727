import { Anchor, Badge, Group, Stack, Text } from '@mantine/core'
import type { Person, TicketState } from '@plantroom/contract/tickets'
import { useSite } from '../../api/use-site.ts'
import { PageHead } from '../../parts/page-head.tsx'
import { RequestsTurnedOff } from '../../parts/requests-off.tsx'
import { format } from '../../texts/format.ts'
import { requestFields } from '../../texts/request-fields.ts'
import { request, requests, states } from '../../texts/requests.ts'
import { mailLink, phoneLink } from './describe-request.ts'

const COLORS: Readonly<Record<TicketState, string>> = {
  new: 'blue',
  open: 'cyan',
  in_progress: 'violet',
  on_hold: 'orange',
  resolved: 'green',
  closed: 'gray.6',
  canceled: 'gray.6',
}

/** The text is on the plain background, so it is readable whatever the color of the dot. */
export function StateBadge({ state, size = 'md' }: { state: TicketState; size?: 'md' | 'lg' }) {
  return (
    <Badge variant="dot" color={COLORS[state]} size={size} fw={600} style={{ flexShrink: 0 }}>
      {states[state]}
    </Badge>
  )
}

/** Shown only for a safety hazard. */
export function HazardBadge({ hazard, size = 'md' }: { hazard: boolean | null; size?: 'md' | 'lg' }) {
  if (!hazard) return null
  return (
    <Badge variant="filled" color="red" size={size} style={{ flexShrink: 0 }}>
      {requestFields.safetyHazard}
    </Badge>
  )
}

const SHOWN = 4

/** The tags of a request; without `all`, as many as fit into a list. */
export function TagList({ tags, all = false }: { tags: readonly string[]; all?: boolean }) {
  if (tags.length === 0) return null
  const shown = all ? tags : tags.slice(0, SHOWN)
  return (
    <Group gap={4} component="span">
      {shown.map((tag) => (
        <Badge key={tag} variant="default" size="sm" fw={500} maw="100%">
          {tag}
        </Badge>
      ))}
      {tags.length > shown.length && (
        <Text span size="xs">
          {format(requests.moreTags, { count: tags.length - shown.length })}
        </Text>
      )}
    </Group>
  )
}

/** A person with contact links. */
export function PersonView({ person }: { person: Person | null }) {
  if (!person) return <span>{request.notKnown}</span>
  const { name, email, phone } = person
  const dial = phone ? phoneLink(phone) : undefined
  return (
    <Stack gap={0} align="flex-start">
      {name && <span>{name}</span>}
      {email && (
        <Anchor href={mailLink(email)} inherit>
          {email}
        </Anchor>
      )}
      {phone && dial && (
        <Anchor href={dial} inherit>
          {phone}
        </Anchor>
      )}
      {phone && !dial && <span>{phone}</span>}
    </Stack>
  )
}

/** Shown in place of requests while they are turned off. */
export function RequestsOff() {
  const { may, path } = useSite()
  return (
    <>
      <PageHead title={requests.title} />
      <RequestsTurnedOff settings={may('admin') && path('/settings/site')} />
    </>
  )
}
