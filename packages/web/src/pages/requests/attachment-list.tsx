import { Anchor, Group, List, Loader, Stack, Text } from '@mantine/core'
import type { Attachment } from '@plantroom/contract/tickets'
import { useMutation } from '@tanstack/react-query'
import { api } from '../../api/service.ts'
import { useSite } from '../../api/use-site.ts'
import { ErrorNotice } from '../../parts/notices.tsx'
import { bytes } from '../../parts/value.ts'
import { format } from '../../texts/format.ts'
import { request } from '../../texts/requests.ts'

/** The files of a request or of a comment. */
export function AttachmentList({ number, attachments }: { number: number; attachments: readonly Attachment[] }) {
  if (attachments.length === 0) return null
  return (
    <List listStyleType="none" spacing={6} aria-label={request.attachments}>
      {attachments.map((attachment) => (
        <List.Item key={attachment.id}>
          <AttachmentLink number={number} attachment={attachment} />
        </List.Item>
      ))}
    </List>
  )
}

/** Requests the address on click, because it expires soon. */
function AttachmentLink({ number, attachment }: { number: number; attachment: Attachment }) {
  const { orgId, siteId } = useSite()
  const { id, name, size } = attachment
  const open = useMutation({
    async mutationFn(tab: Window | null) {
      try {
        const { url } = await api.getAttachmentUrl({ orgId, propertyId: siteId, number, attachmentId: id })
        if (tab) tab.location.replace(url)
        else window.location.assign(url)
      } catch (error) {
        tab?.close()
        throw error
      }
    },
  })

  function start() {
    // Browsers allow a new tab only while they handle the click.
    const tab = window.open('', '_blank')
    if (tab) tab.opener = null
    open.mutate(tab)
  }

  return (
    <Stack gap={4}>
      <Group gap="xs">
        <Anchor component="button" type="button" ta="start" onClick={start} disabled={open.isPending}>
          {name}
        </Anchor>
        <Text span size="sm">
          {bytes(size)}
        </Text>
        {open.isPending && <Loader size="xs" aria-hidden />}
      </Group>
      {open.error && <ErrorNotice error={open.error} title={format(request.attachmentFailed, { name })} />}
    </Stack>
  )
}
