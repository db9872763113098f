// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn;

import io.posthorn.models.*;

/** The resources of a client. */
public abstract class Resources {
  private final MeResource me;
  private final WorkspaceResource workspace;
  private final EnvironmentsResource environments;
  private final AgentsResource agents;
  private final ApiKeysResource apiKeys;
  private final EventTypesResource eventTypes;
  private final CatalogResource catalog;
  private final ApplicationsResource applications;
  private final EndpointsResource endpoints;
  private final PullKeysResource pullKeys;
  private final SubscriptionsResource subscriptions;
  private final SourcesResource sources;
  private final DeliveriesResource deliveries;
  private final EventsResource events;
  private final ErasuresResource erasures;
  private final OperationsResource operations;
  private final AlertRulesResource alertRules;
  private final StatsResource stats;
  private final UsageResource usage;
  private final AuditLogsResource auditLogs;
  private final PortalSessionsResource portalSessions;

  Resources(Transport transport) {
    this.me = new MeResource(transport);
    this.workspace = new WorkspaceResource(transport);
    this.environments = new EnvironmentsResource(transport);
    this.agents = new AgentsResource(transport);
    this.apiKeys = new ApiKeysResource(transport);
    this.eventTypes = new EventTypesResource(transport);
    this.catalog = new CatalogResource(transport);
    this.applications = new ApplicationsResource(transport);
    this.endpoints = new EndpointsResource(transport);
    this.pullKeys = new PullKeysResource(transport);
    this.subscriptions = new SubscriptionsResource(transport);
    this.sources = new SourcesResource(transport);
    this.deliveries = new DeliveriesResource(transport);
    this.events = new EventsResource(transport);
    this.erasures = new ErasuresResource(transport);
    this.operations = new OperationsResource(transport);
    this.alertRules = new AlertRulesResource(transport);
    this.stats = new StatsResource(transport);
    this.usage = new UsageResource(transport);
    this.auditLogs = new AuditLogsResource(transport);
    this.portalSessions = new PortalSessionsResource(transport);
  }

  /** Credentials of the management interface. */
  public MeResource me() {
    return me;
  }

  /** The tenant: every other resource belongs to one. */
  public WorkspaceResource workspace() {
    return workspace;
  }

  /** They separate API keys, endpoints and the visibility of event types. */
  public EnvironmentsResource environments() {
    return environments;
  }

  /** Subscriptions of agents over the Model Context Protocol, and their keys. */
  public AgentsResource agents() {
    return agents;
  }

  /** Producers' credentials; each is bound to one environment. */
  public ApiKeysResource apiKeys() {
    return apiKeys;
  }

  /** The categories of events, their schemas, and in which environments each is published and checked. */
  public EventTypesResource eventTypes() {
    return eventTypes;
  }

  /** What receivers may get: the published event types with schema and example. */
  public CatalogResource catalog() {
    return catalog;
  }

  /** End customers, each with its own endpoints. */
  public ApplicationsResource applications() {
    return applications;
  }

  /** The addresses that get signed deliveries. */
  public EndpointsResource endpoints() {
    return endpoints;
  }

  /** Credentials of the consumers that fetch the deliveries of one endpoint. */
  public PullKeysResource pullKeys() {
    return pullKeys;
  }

  /** Which endpoint gets which event types. */
  public SubscriptionsResource subscriptions() {
    return subscriptions;
  }

  /** Topics of Kafka whose records become events. */
  public SourcesResource sources() {
    return sources;
  }

  /** Events on their way to endpoints, with every attempt. */
  public DeliveriesResource deliveries() {
    return deliveries;
  }

  /** What producers sent, and which endpoints got it or why not. */
  public EventsResource events() {
    return events;
  }

  /** Recoveries and bulk changes: work on many deliveries, which goes on after the answer. */
  public ErasuresResource erasures() {
    return erasures;
  }

  /** Recoveries and bulk changes: work on many deliveries, which goes on after the answer. */
  public OperationsResource operations() {
    return operations;
  }

  /** Whom to tell of operational events, by mail, in a chat or by PagerDuty. */
  public AlertRulesResource alertRules() {
    return alertRules;
  }

  /** Counts, durations and delays, and changes as they happen. */
  public StatsResource stats() {
    return stats;
  }

  /** What each customer used, for billing. */
  public UsageResource usage() {
    return usage;
  }

  /** Every change, its actor and its origin. */
  public AuditLogsResource auditLogs() {
    return auditLogs;
  }

  /** Access for a customer to the portal. */
  public PortalSessionsResource portalSessions() {
    return portalSessions;
  }
}
