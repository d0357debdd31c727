import { Alert, Badge, Button, Group, Paper, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { SignedIn, SignedInOrganization, SignedInSite } from '@plantroom/contract/roles'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Redirect, Link as Route, useSearchParams } from 'wouter'
import { api } from '../../api/service.ts'
import { isShown, useGettingStarted } from '../../api/use-getting-started.ts'
import { sitePath } from '../../api/use-site.ts'
import { Checklist } from '../../parts/checklist.tsx'
import { FormEnd, Modal } from '../../parts/dialogs.tsx'
import { Link } from '../../parts/link.tsx'
import { Empty } from '../../parts/notices.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { ownTimeZone, TimeZoneSelect } from '../../parts/selects.tsx'
import { roles } from '../../texts/common.ts'
import { format } from '../../texts/format.ts'
import { home as texts } from '../../texts/home.ts'
import classes from './home.module.css'

/** The sites of the signed-in person. A single site opens directly, unless the address has `?all`. */
export function HomePage({ signedIn }: { signedIn: SignedIn }) {
  const [parameters] = useSearchParams()
  const organizations = signedIn.organizations.filter(({ isAdmin, sites }) => isAdmin || sites.length > 0)
  const sites = organizations.flatMap(({ id, sites }) => sites.map((site) => sitePath(id, site.id)))
  const [first] = sites
  const closed = signedIn.organizations.filter(({ secondFactorMissing }) => secondFactorMissing)

  if (first && sites.length === 1 && !parameters.has('all')) return <Redirect to={first} replace />
  if (closed.length > 0 && organizations.length === 0) return <Redirect to="/account" replace />
  return (
    <>
      <PageHead title={texts.title}>{sites.length > 0 && format(texts.siteCount, { count: sites.length })}</PageHead>
      {organizations.length === 0 && (
        <Empty title={texts.none}>{format(texts.noneHint, { email: signedIn.user.email })}</Empty>
      )}
      <Stack gap="xl">
        {closed.map(({ id, name }) => (
          <Alert key={id} color="yellow" title={name}>
            {texts.secondFactor} <Link to="/account">{texts.toAccount}</Link>
          </Alert>
        ))}
        {organizations.map((organization) => (
          <FirstSteps key={organization.id} organization={organization} />
        ))}
        {organizations.map((organization) => (
          <SitesOf key={organization.id} organization={organization} />
        ))}
      </Stack>
    </>
  )
}

/** What is left to do before the first override. */
function FirstSteps({ organization }: { organization: SignedInOrganization }) {
  const list = useGettingStarted(organization)
  return list && isShown(list) ? <Checklist list={list} /> : null
}

/** The sites of one organization; administrators can add more. */
function SitesOf({ organization }: { organization: SignedInOrganization }) {
  const { id, name, isAdmin, sites } = organization
  const [isAdding, setAdding] = useState(false)
  return (
    <Stack component="section" gap="md" aria-labelledby={`organization-${id}`}>
      <Group justify="space-between" gap="sm">
        <Title order={2} size="h3" id={`organization-${id}`}>
          {name}
        </Title>
        {isAdmin && (
          <Button
            variant="default"
            onClick={() => setAdding(true)}
            aria-label={format(texts.addSiteTo, { organization: name })}
          >
            {texts.addSite}
          </Button>
        )}
      </Group>
      {sites.length === 0 ? (
        <Empty title={texts.noneInOrganization}>{texts.noneInOrganizationHint}</Empty>
      ) : (
        <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
          {sites.map((site) => (
            <SiteCard key={site.id} orgId={id} site={site} />
          ))}
        </SimpleGrid>
      )}
      <AddSite organization={organization} opened={isAdding} onClose={() => setAdding(false)} />
    </Stack>
  )
}

function SiteCard({ orgId, site }: { orgId: string; site: SignedInSite }) {
  return (
    <Paper withBorder component={Route} href={sitePath(orgId, site.id)} className={classes.card}>
      <Group justify="space-between" wrap="nowrap" align="flex-start" gap="sm">
        <Text fw={600}>{site.name}</Text>
        <Badge variant="default" style={{ flexShrink: 0 }}>
          {roles[site.role]}
        </Badge>
      </Group>
      <Text c="dimmed" size="sm">
        {site.timeZone}
      </Text>
    </Paper>
  )
}

function AddSite({
  organization,
  opened,
  onClose,
}: {
  organization: SignedInOrganization
  opened: boolean
  onClose: () => void
}) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={format(texts.addSiteTo, { organization: organization.name })}
      centered
    >
      <AddSiteForm orgId={organization.id} onClose={onClose} />
    </Modal>
  )
}

function AddSiteForm({ orgId, onClose }: { orgId: string; onClose: () => void }) {
  const [name, setName] = useState('')
  const [timeZone, setTimeZone] = useState(ownTimeZone)
  const client = useQueryClient()
  const add = useMutation({
    mutationFn: () => api.addSite({ orgId, body: { name: name.trim(), timeZone } }),
    async onSuccess(site) {
      // The session lists the sites.
      await client.invalidateQueries({ queryKey: ['session'] })
      notifications.show({ message: format(texts.added, { name: site.name }), color: 'green' })
      onClose()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!add.isPending) add.mutate()
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label={texts.name}
          description={texts.nameHint}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          maxLength={255}
          autoComplete="off"
          data-autofocus
          required
          withAsterisk={false}
        />
        <TimeZoneSelect
          label={texts.timeZone}
          description={texts.timeZoneHint}
          value={timeZone}
          onChange={setTimeZone}
        />
        <FormEnd mutation={add} action={texts.add} onCancel={onClose} failed={texts.failed} />
      </Stack>
    </form>
  )
}
