import { Anchor, Stack, Text } from '@mantine/core'
import type { Person } from '@plantroom/contract/tickets'
import { request } from '../../texts/requests.ts'
import { mailLink, phoneLink } from './detail-text.ts'

/** Somebody, with the ways to reach them. */
export function PersonView({ person }: { person: Person | null }) {
  if (!person) return <Text span>{request.notKnown}</Text>
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
