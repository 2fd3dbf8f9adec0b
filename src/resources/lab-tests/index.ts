import { operation } from '../../api/operation.ts'
import type { Resource } from '../../api/resource.ts'
import { MarkerAccount, MarkerPage } from '../markers/schema.ts'
import { toPage } from '../markers/service.ts'
import { createLabTest, labTestJobs, markersOfOrderSet, patchLabTest } from './administration.ts'
import {
  CollectionInstructions,
  LabTest,
  LabTestFilter,
  LabTestList,
  LabTestMarkerQuery,
  LabTestPage,
  LabTestPageQuery,
  LabTestPatch,
  NewLabTest,
  OrderSet,
  OrderSetQuery,
  PromotionList,
  PromotionQuery,
  PromotionSource,
} from './schema.ts'
import {
  collectionInstructionsOf,
  getLabTest,
  listLabTestsById,
  listPromotions,
  markersOf,
  pageLabTests,
  presentLabTest,
  promotionSourceOf,
} from './service.ts'
import { labTests } from './table.ts'

const labTestOperations = [
  operation({
    id: 'lab_tests_get_paginated',
    route: 'GET /v3/lab_test',
    summary: 'List your lab tests, page by page',
    query: LabTestPageQuery,
    returns: LabTestPage,
    run: (world, { query }) => pageLabTests(world, query),
  }),
  operation({
    id: 'lab_tests_get',
    route: 'GET /v3/lab_tests',
    summary: 'List your lab tests',
    query: LabTestFilter,
    returns: LabTestList,
    deprecated: true,
    endsOn: '2026-10-01',
    run: (world, { query }) => listLabTestsById(world, query).map((row) => presentLabTest(world, row)),
  }),
  operation({
    id: 'lab_tests_get_by_id',
    route: 'GET /v3/lab_tests/{lab_test_id}',
    summary: 'Get a lab test',
    query: MarkerAccount,
    returns: LabTest,
    run: (world, { params, query }) =>
      presentLabTest(world, getLabTest(world, params.lab_test_id, query.lab_account_id)),
  }),
  operation({
    id: 'lab_tests_get_markers_for_lab_test',
    route: 'GET /v3/lab_tests/{lab_test_id}/markers',
    summary: 'List the markers of a lab test, including reflex markers',
    query: LabTestMarkerQuery,
    returns: MarkerPage,
    run(world, { params, query }) {
      const labTest = getLabTest(world, params.lab_test_id, query.lab_account_id)
      const page = toPage(markersOf(world, labTest, { reflex: true }), query)
      // The service counts the markers of the page. Source: docs/contract/orders.md#lists.
      return { ...page, total: page.markers.length }
    },
  }),
  operation({
    id: 'lab_tests_create',
    route: 'POST /v3/lab_tests',
    summary: 'Create a lab test from markers',
    body: NewLabTest,
    returns: LabTest,
    run: (world, { body }) => presentLabTest(world, createLabTest(world, body)),
  }),
  operation({
    id: 'lab_tests_update_lab_test',
    route: 'PATCH /v3/lab_tests/{lab_test_id}',
    summary: 'Rename or deactivate a lab test',
    body: LabTestPatch,
    returns: LabTest,
    run: (world, { params, body }) => presentLabTest(world, patchLabTest(world, params.lab_test_id, body)),
  }),
  operation({
    id: 'lab_tests_get_markers_for_order_set',
    route: 'POST /v3/lab_tests/list_order_set_markers',
    summary: 'List the markers of an order set',
    query: OrderSetQuery,
    body: OrderSet,
    returns: MarkerPage,
    run: (world, { query, body }) => toPage(markersOfOrderSet(world, body), query),
  }),
  operation({
    id: 'lab_tests_list_promotions',
    route: 'GET /v3/lab_test_promotion',
    summary: 'List the lab tests that were made from others',
    assumes: [
      'Sandbox and production are one world: `POST /v3/lab_tests` with `source_sandbox_lab_test_id` makes the production test, whose status is that of the promotion.',
    ],
    query: PromotionQuery,
    returns: PromotionList,
    run: (world, { query }) => listPromotions(world, query),
  }),
  operation({
    id: 'lab_tests_get_promotion_source',
    route: 'GET /v3/lab_test/{lab_test_id}/promotion_source',
    summary: 'Get the body of the call that makes a lab test like this one',
    returns: PromotionSource,
    run: (world, { params }) => promotionSourceOf(world, params.lab_test_id),
  }),
  operation({
    id: 'lab_tests_get_lab_test_collection_instructions',
    route: 'GET /v3/lab_test/{lab_test_id}/collection_instructions',
    summary: 'Get what is needed to collect the sample of a lab test at home',
    assumes: [
      'Five markers share a tube.',
      'Lab tests of other methods, and teams without the feature `approxdraw` or `approxdraw_labcorp`, get 400. Both features are on.',
    ],
    returns: CollectionInstructions,
    run: (world, { params }) => collectionInstructionsOf(world, params.lab_test_id),
  }),
]

export const labTestResource: Resource = {
  name: 'lab-tests',
  operations: labTestOperations,
  tables: [labTests],
  jobs: labTestJobs,
}
