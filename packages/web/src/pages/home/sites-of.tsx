import { Badge, Button, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import type { SignedInOrganization, SignedInSite } from '@plantroom/contract/roles'
import { useState } from 'react'
import { Link as Route } from 'wouter'
import { sitePath } from '../../api/use-site.ts'
import { Empty } from '../../parts/notices.tsx'
import { roles } from '../../texts/common.ts'
import { home as texts } from '../../texts/home.ts'
import { AddSite } from './add-site.tsx'
import classes from './sites-of.module.css'

/** The sites of one organization; its administrators add more. */
export function SitesOf({ organization }: { organization: SignedInOrganization }) {
  const { id, name, isAdmin, sites } = organization
  const [isAdding, setAdding] = useState(false)
  return (
    <Stack component="section" gap="md" aria-labelledby={`organization-${id}`}>
      <Group justify="space-between" gap="sm">
        <Title order={2} size="h3" id={`organization-${id}`}>
          {name}
        </Title>
        {isAdmin && (
          <Button variant="default" onClick={() => setAdding(true)} aria-label={texts.addSiteTo(name)}>
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
