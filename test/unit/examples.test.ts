import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { settings } from '../../src/settings.ts'
import { read, root } from '../support/root.ts'

const files = ['examples', '.github'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(root.length)),
)
const ending = (...ends: string[]) => files.filter((file) => ends.some((end) => file.endsWith(end)))

/** Variables that only clients and examples read. */
const ofClients = ['PETRI_URL', 'PETRI_IMAGE']
const known = new Set([...Object.values(settings).map(({ variable }) => variable), ...ofClients])

// biome-ignore lint/suspicious/noExplicitAny: the files have many shapes.
const documents = (file: string): any[] =>
  parseAllDocuments(read(file)).map((document) => {
    expect(document.errors, file).toEqual([])
    return document.toJS()
  })

describe('the examples', () => {
  it.each(ending('.yml', '.yaml'))('%s is YAML', (file) => {
    expect(documents(file).length).toBeGreaterThan(0)
  })

  it('set only variables that there are', () => {
    const wrong = files.flatMap((file) =>
      [...read(file).matchAll(/\bPETRI_[A-Z_]+\b/g)]
        .filter(
          ([name]) => !known.has(name) && !(file.endsWith('petri.yaml') && name === 'PETRI_SANDBOX_PORT'),
        )
        .map(([name]) => `${file}: ${name}`),
    )
    expect(wrong).toEqual([])
  })

  it('call one image by one name, and the package by its own', () => {
    const images = new Set(files.flatMap((file) => read(file).match(/ghcr\.io\/example\/[\w-]+/g) ?? []))
    expect([...images]).toEqual(['ghcr.io/example/petri-sandbox'])
    const { name } = JSON.parse(read('package.json'))
    for (const file of files) {
      for (const [, called] of read(file).matchAll(
        /(?:from|require\(|import\()\s*['"]([^'"./]*petri[^'"./]*)['"]/g,
      ))
        expect(called, file).toBe(name)
    }
  })

  it('publish on this machine only', () => {
    for (const file of ending('docker-compose.yml')) {
      const [{ services }] = documents(file)
      for (const service of Object.values<{ ports?: string[] }>(services))
        for (const port of service.ports ?? []) expect(port, file).toMatch(/^127\.0\.0\.1:/)
    }
  })

  it('of GitHub Actions lets Petri reach the runner, and installs what it runs', () => {
    const [{ jobs }] = documents('examples/github-actions.yml')
    expect(jobs.test.services.petri.options).toContain('--add-host host.docker.internal:host-gateway')
    expect(jobs.test.env.RECEIVER_HOST).toBe('host.docker.internal')
    const commands = jobs.test.steps.map(({ run }: { run?: string }) => run ?? '')
    expect(commands.indexOf('pip install pytest')).toBeGreaterThan(-1)
    expect(commands.indexOf('pytest examples/python')).toBeGreaterThan(commands.indexOf('pip install pytest'))
  })

  it('for Kubernetes ask what Petri answers, at the port it has', () => {
    const parts = documents('examples/kubernetes/petri.yaml')
    const kind = (name: string) => parts.find((part) => part.kind === name)
    const { template, volumeClaimTemplates } = kind('StatefulSet').spec
    const [container] = template.spec.containers
    expect(container.ports).toEqual([{ name: 'http', containerPort: 4080 }])
    for (const probe of [container.readinessProbe, container.livenessProbe])
      expect(probe.httpGet).toEqual({ path: '/_petri/health', port: 'http' })
    expect(kind('Service').spec.selector).toEqual(template.metadata.labels)
    expect(volumeClaimTemplates[0].metadata.name).toBe(container.volumeMounts[0].name)
    expect(kind('Secret').stringData).toHaveProperty(container.env[0].valueFrom.secretKeyRef.key)
    expect(template.spec.securityContext.fsGroup).toBe(template.spec.securityContext.runAsUser)
  })

  // Source: kubernetes.io, "Pod Security Standards", restricted.
  it.each([
    ['kubernetes/petri.yaml', 1],
    ['scale-out/kubernetes.yaml', 2],
  ])('%s: every pod meets the restricted standard', (name, count) => {
    const pods = documents(`examples/${name}`).flatMap(({ spec }) => spec?.template?.spec ?? [])
    expect(pods).toHaveLength(count)
    for (const { securityContext, containers, volumes = [], ...spec } of pods) {
      expect(securityContext).toMatchObject({
        runAsNonRoot: true,
        runAsUser: expect.any(Number),
        seccompProfile: { type: 'RuntimeDefault' },
      })
      expect(securityContext.runAsUser).toBeGreaterThan(0)
      for (const field of ['hostNetwork', 'hostPID', 'hostIPC', 'initContainers'])
        expect(spec).not.toHaveProperty(field)
      for (const { name: _, ...source } of volumes)
        expect(['configMap', 'emptyDir']).toContain(Object.keys(source).join())
      for (const container of containers) {
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        })
        for (const port of container.ports) {
          expect(port).not.toHaveProperty('hostPort')
          expect(port.containerPort).toBeGreaterThan(1023)
        }
      }
    }
  })

  it('of a development container names services that there are', () => {
    const folder = 'examples/devcontainer/.devcontainer'
    const text = read(`${folder}/devcontainer.json`).replace(/^\s*\/\/.*$/gm, '')
    const settings = JSON.parse(text)
    const [{ services }] = documents(`${folder}/${settings.dockerComposeFile}`)
    expect(Object.keys(services)).toContain(settings.service)
    expect(settings.forwardPorts).toEqual(['petri:4080'])
    expect(services[settings.service].depends_on).toEqual({ petri: { condition: 'service_healthy' } })
  })

  it.each([
    ['gofmt', ['-l'], '.go'],
    [
      'python3',
      ['-c', 'import ast, sys\nfor file in sys.argv[1:]: ast.parse(open(file).read(), file)'],
      '.py',
    ],
    ['sh', ['-c', 'for file; do sh -n "$file" || exit; done', 'sh'], '.sh'],
  ] as const)('are well-formed for %s', { tags: 'slow' }, (tool, args, end) => {
    // One process for all, because a start takes long on a busy machine.
    const { error, stdout, stderr, status } = spawnSync(tool, [...args, ...ending(end)], {
      cwd: root,
      encoding: 'utf8',
    })
    if (error === undefined) expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' })
  })
})
