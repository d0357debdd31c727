import { Badge, Group, Text } from '@mantine/core'
import { requests } from '../../texts/requests.ts'

const SHOWN = 4

/** The tags of a request; `all` of them, or as many as fit into a list. */
export function TagList({ tags, all = false }: { tags: readonly string[]; all?: boolean }) {
  if (tags.length === 0) return null
  const shown = all ? tags : tags.slice(0, SHOWN)
  return (
    <Group gap={4} component="span">
      {shown.map((tag) => (
        <Badge key={tag} variant="default" size="sm" tt="none" fw={500} maw="100%">
          {tag}
        </Badge>
      ))}
      {tags.length > shown.length && (
        <Text span size="xs">
          {requests.moreTags(tags.length - shown.length)}
        </Text>
      )}
    </Group>
  )
}
