//! End-to-end tests: the real program on real files. One binary, so that it links once.

mod agents;
mod architecture;
mod archives;
mod base_filter;
mod endpoints;
mod entities;
mod env;
mod evaluating;
mod filter_check;
mod filters;
mod generated;
mod hostile;
mod hub;
mod ingesting;
mod languages;
mod models;
mod navigating;
mod querying;
mod searching;
mod sparse;
mod stages;
mod upkeep;
mod web;
