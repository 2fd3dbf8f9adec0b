import { it } from 'vitest'
import { writeFileSync } from 'node:fs'
import { startTestPetri, KEY } from '../support/petri.ts'
import { orderForPatient } from '../support/orders.ts'
import { orders, orderFacts } from '../../src/resources/orders/table.ts'
import { presentMarker } from '../../src/resources/markers/service.ts'
import { presentLab } from '../../src/resources/labs/service.ts'
it('x', async () => {
  const petri = await startTestPetri()
  const o = await orderForPatient(petri, { scenario: 'manual' })
  const pdf = async (path: string, name: string) => {
    const r = await petri.petri.app.request(path, { headers: { 'x-service-api-key': KEY } })
    if (r.status !== 200) return console.log(path, r.status, await r.text())
    const bytes = Buffer.from(await r.arrayBuffer())
    console.log(name, bytes.length)
    writeFileSync(`/tmp/pdfs/${name}.pdf`, bytes)
  }
  await pdf(`/v3/order/${o.id}/requisition/pdf`, 'req-early')
  await petri.post(`/v3/order/${o.id}/test`, { interpretation: 'critical', has_missing_results: true })
  await pdf(`/v3/order/${o.id}/result/pdf`, 'kit-critical')
  await pdf(`/v3/order/${o.id}/requisition/pdf`, 'kit-requisition')
  await pdf(`/v3/order/${o.id}/labels/pdf?collection_date=2026-01-05T10:00:00Z`, 'kit-labels')
  await pdf(`/v3/order/${o.id}/collection_instruction_pdf`, 'kit-instructions')
  await pdf(`/v3/order/${o.id}/abn_pdf`, 'kit-abn')
  await pdf(`/v3/lab_test/${o.lab_test.id}/collection_instruction_pdf`, 'test-instructions')
  await pdf(`/v3/order_transaction/${o.order_transaction.id}/result/pdf`, 'transaction')
  // a big one at labcorp
  const world = petri.world()
  const row = world.db.get(orders, o.id)
  const cat = world.parts.catalogue
  const lab = cat.labs().get('quest')!
  const markers = ['10231','7600','6399','7573','86038987','91431','5463','496'].map(c => cat.findMarker('quest', c)!)
  const id = '11111111-1111-4111-8111-111111111111'
  world.db.put(orders, { ...row, id, has_abn: true, priority: true, icd_codes: ['E78.5','R73.03'], clinical_notes: 'Patient fasted 12 h – prior LDL “high”, Łódź, 日本.\nSecond line.', lab_test: { ...row.lab_test, name: 'Everything', lab: presentLab(lab), markers: markers.map(presentMarker) } })
  world.db.put(orderFacts, { ...world.db.get(orderFacts, o.id), order_id: id, results: { interpretation: 'critical', missing: ['glucose'] } })
  await pdf(`/v3/order/${id}/result/pdf`, 'big')
  await pdf(`/v3/order/${id}/requisition/pdf`, 'big-requisition')
  await pdf(`/v3/order/${id}/abn_pdf`, 'big-abn')
  const t0 = performance.now(); for (let i=0;i<10;i++) await pdf(`/v3/order/${id}/result/pdf`, 'big'); console.log((performance.now()-t0)/10, 'ms')
})
